import { ONBOARDING_STEPS } from '@fiado/shared/contracts/onboarding';
import { cornerStoreSumsOperation, invariantsOperation } from '@fiado/shared/openapi/invariants';
import {
  count,
  flag,
  listOf,
  nullable,
  object,
  oneOf,
  pesos,
  rate,
  text,
  timestamp,
  uuid,
} from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { SHOWN_STATUSES } from '../../domain/corner-store';
import { ListCornerStoresQuery } from '../list-corner-stores';
import { RejectCornerStoreBody } from '../reject-corner-store';
import { UpdateCornerStoreBody } from '../update-corner-store';
import { EXAMPLE_IDS } from './examples';

const steps = listOf(oneOf(ONBOARDING_STEPS));

const cornerStoreDetails = object('CornerStoreDetails', {
  cornerStoreId: uuid,
  userId: uuid,
  status: oneOf(SHOWN_STATUSES),
  creditLimit: pesos,
  interestRate: rate,
  rejectionReason: nullable(text),
  firstName: text,
  lastNames: text,
  phoneNumber: text,
  cornerStoreName: nullable(text),
  information: nullable(
    object('CornerStoreInformation', {
      cornerStoreType: text,
      businessLifetime: text,
      ownershipStatus: text,
      cornerStoreAddress: text,
      localeOwner: text,
    }),
  ),
  completedSteps: steps,
  missingSteps: steps,
  customers: listOf(object('CustomerLink', { wholesalerId: uuid, externalId: text })),
  createdAt: timestamp,
});

const example = {
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  userId: EXAMPLE_IDS.userId,
  status: 'in-manual-validation',
  creditLimit: 10_000,
  interestRate: 0.05,
  rejectionReason: null,
  firstName: 'Lucía',
  lastNames: 'Ortega Ruiz',
  phoneNumber: '+525512340101',
  cornerStoreName: 'Abarrotes Lucía',
  information: null,
  completedSteps: ['COMPLETED'],
  missingSteps: [],
  customers: [{ wholesalerId: EXAMPLE_IDS.wholesalerId, externalId: 'tienda-001' }],
  createdAt: '2027-01-20T16:04:05.678Z',
};

const details = { status: 200, schema: cornerStoreDetails } as const;

export const listCornerStores: Operation = {
  id: 'listCornerStores',
  tag: 'Ops: corner stores',
  summary: 'List corner stores',
  query: ListCornerStoresQuery,
  answer: {
    status: 200,
    schema: object('CornerStorePage', {
      cornerStores: listOf(cornerStoreDetails),
      nextCursor: nullable(text),
    }),
    example: { cornerStores: [example], nextCursor: null },
  },
};

export const updateCornerStore: Operation = {
  id: 'updateCornerStore',
  tag: 'Ops: corner stores',
  summary: 'Change the limit and the rate of a corner store',
  body: UpdateCornerStoreBody,
  bodyExample: { creditLimit: 15_000 },
  refusesUnknownFields: true,
  answer: { ...details, example: { ...example, creditLimit: 15_000 } },
  errors: ['CORNER_STORE_NOT_FOUND'],
};

export const approveCornerStore: Operation = {
  id: 'approveCornerStore',
  tag: 'Ops: corner stores',
  summary: 'Approve a corner store: it may buy',
  answer: { ...details, example: { ...example, status: 'approved' } },
  errors: ['CORNER_STORE_NOT_FOUND'],
};

export const rejectCornerStore: Operation = {
  id: 'rejectCornerStore',
  tag: 'Ops: corner stores',
  summary: 'Reject a corner store, with a reason',
  body: RejectCornerStoreBody,
  bodyExample: { reason: 'The document cannot be read' },
  refusesUnknownFields: true,
  answer: {
    ...details,
    example: {
      ...example,
      status: 'pre-approved',
      creditLimit: 0,
      rejectionReason: 'The document cannot be read',
    },
  },
  errors: ['CORNER_STORE_NOT_FOUND'],
};

export const listDocuments: Operation = {
  id: 'listDocuments',
  tag: 'Ops: corner stores',
  summary: 'List the images of an onboarding',
  answer: {
    status: 200,
    schema: object('DocumentList', {
      documents: listOf(
        object('Document', {
          documentId: uuid,
          step: oneOf(ONBOARDING_STEPS),
          wholesalerId: uuid,
          verificationId: uuid,
          sha256: text,
          sizeBytes: count,
          width: count,
          height: count,
          createdAt: timestamp,
        }),
      ),
    }),
    example: { documents: [] },
  },
  errors: ['CORNER_STORE_NOT_FOUND'],
};

export const showDocument: Operation = {
  id: 'showDocument',
  tag: 'Ops: corner stores',
  summary: 'Get an image of an onboarding',
  description: 'Each look at one is recorded.',
  answer: { status: 200, mediaType: 'image/jpeg', schema: { type: 'string', format: 'binary' } },
  errors: ['CORNER_STORE_NOT_FOUND', 'DOCUMENT_NOT_FOUND'],
};

export const checkInvariants = invariantsOperation('accounts');

export const listCornerStoreSums = cornerStoreSumsOperation('accounts', {
  creditLimitCents: { schema: { type: 'integer' }, example: 1_000_000 },
  interestRate: { schema: text, example: '0.050000' },
  status: { schema: text, example: 'approved' },
  overdue: { schema: flag, example: false },
  customersDigest: { schema: text, example: '9e107d9d372bb6826bd81d3542a419d6' },
  settingsDigest: { schema: text, example: 'e4d909c290d0fb1ca068ffaddf22cbd0' },
});
