import { cornerStoreSumsOperation, invariantsOperation } from '@fiado/shared/openapi/invariants';
import {
  count,
  listOf,
  nullable,
  object,
  oneOf,
  pesos,
  text,
  timestamp,
  uuid,
} from '@fiado/shared/openapi/json-schema';
import type { Operation } from '@fiado/shared/openapi/operation';
import { DEPOSIT_STATUSES } from '../../db/deposit.entity';
import { UNMATCHED_REASONS } from '../../domain/match-references';
import { AssignDepositBody } from '../assign-deposit';
import { DetectDefaultsBody } from '../detect-defaults';
import { ListDepositsQuery } from '../list-deposits';
import { ReverseDepositBody } from '../reverse-deposit';
import { exampleDeposit } from './payments';

const notice = {
  idFactura: text,
  numeroReferencia: text,
  valor: pesos,
  fechaPago: text,
  claveDePago: text,
  receivedAt: timestamp,
};

const deposit = {
  depositId: uuid,
  ...notice,
  paymentProvider: text,
  status: oneOf(DEPOSIT_STATUSES),
  reason: nullable(oneOf(UNMATCHED_REASONS)),
};

const depositAnswer = object('Deposit', deposit);

const listedDepositAnswer = object('ListedDeposit', {
  ...deposit,
  conflicts: listOf(object('DepositConflict', notice)),
});

const example = {
  depositId: 'c0ffee00-1234-4abc-8def-0123456789ab',
  ...exampleDeposit,
  paymentProvider: 'Pagos del Centro',
  status: 'unmatched',
  reason: 'ambiguous',
  receivedAt: '2027-02-10T15:30:01.234Z',
};

const exampleConflict = {
  ...exampleDeposit,
  valor: 592,
  receivedAt: '2027-02-10T15:35:12.345Z',
};

export const listDeposits: Operation = {
  id: 'listDeposits',
  tag: 'Ops: payments',
  summary: 'List deposits, newest first',
  description:
    '`status=conflicting` lists the deposits whose provider sent another body under the same ' +
    '`claveDePago`: `conflicts` has those bodies, up to 20, which were refused with ' +
    '`DEPOSIT_CONFLICT`. `reason` is why a deposit is unmatched: its references are `unknown`, or ' +
    '`ambiguous` because they are shortened or swapped and lead to several users. ' +
    'References are shown up to 1,000 characters.',
  query: ListDepositsQuery,
  answer: {
    status: 200,
    schema: object('DepositPage', {
      deposits: listOf(listedDepositAnswer),
      nextCursor: nullable(uuid),
    }),
    example: { deposits: [{ ...example, conflicts: [exampleConflict] }], nextCursor: null },
  },
};

export const assignDeposit: Operation = {
  id: 'assignDeposit',
  tag: 'Ops: payments',
  summary: 'Assign an unmatched deposit',
  description:
    'A corner store that never had a delivery has no debt to pay: `CORNER_STORE_NOT_FOUND`.',
  body: AssignDepositBody,
  bodyExample: { cornerStoreId: '5d1e0a52-6b3f-4f0e-9a4d-2f1c7b8e3d33' },
  refusesUnknownFields: true,
  answer: {
    status: 200,
    schema: depositAnswer,
    example: { ...example, status: 'applied', reason: null },
  },
  errors: ['DEPOSIT_NOT_FOUND', 'CORNER_STORE_NOT_FOUND', 'DEPOSIT_IS_NOT_UNMATCHED'],
};

export const reverseDeposit: Operation = {
  id: 'reverseDeposit',
  tag: 'Ops: payments',
  summary: 'Take a wrong deposit back',
  description: 'By new rows: what it paid is owed again.',
  body: ReverseDepositBody,
  bodyExample: { reason: 'The provider sent it twice' },
  refusesUnknownFields: true,
  answer: {
    status: 200,
    schema: depositAnswer,
    example: { ...example, status: 'reversed', reason: null },
  },
  errors: ['DEPOSIT_NOT_FOUND'],
};

export const detectDefaults: Operation = {
  id: 'detectDefaults',
  tag: 'Ops: payments',
  summary: 'Look for what is overdue now',
  description: 'A future `asOf` is taken in the sandbox only. Without a body: now.',
  body: DetectDefaultsBody,
  bodyExample: { asOf: '2027-03-01T00:00:00Z' },
  bodyOptional: true,
  refusesUnknownFields: true,
  answer: {
    status: 200,
    schema: object('DetectedDefaults', { opened: count }),
    example: { opened: 3 },
  },
};

const cents = { type: 'integer' } as const;

export const checkInvariants = invariantsOperation('payments');

export const listCornerStoreSums = cornerStoreSumsOperation('payments', {
  principalCents: { schema: cents, example: 50_000 },
  principalPaidCents: { schema: cents, example: 0 },
  interestCents: { schema: cents, example: 2_500 },
  ivaCents: { schema: cents, example: 400 },
  paidCount: { schema: count, example: 0 },
  overdueCount: { schema: count, example: 0 },
});
