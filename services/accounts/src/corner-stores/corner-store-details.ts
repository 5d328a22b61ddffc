import { pendingChange, presentPendingChange } from '@fiado/chassis/four-eyes';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import * as t from '@fiado/chassis/openapi/json-schema';
import { amountOf } from '@fiado/contracts/money';
import { ONBOARDING_STEPS, type CornerStoreInformation } from '@fiado/contracts/onboarding';
import { maskPhone } from '@fiado/contracts/phone';
import type { Context } from '../context';
import { PURPOSE } from '../db/sealed-columns';
import { EXAMPLE_IDS, EXAMPLE_PHONE } from '../examples';
import { progressOf } from '../onboarding/onboarding.rules';
import type { CornerStoreDetails } from './corner-store-details.sql';
import { SHOWN_STATUSES, shownStatus } from './corner-store.rules';

/** Scope of ops whose callers see names, phones and addresses in full. */
export const READS_PERSONAL_DATA = 'operator';

const steps = t.listOf(t.oneOf(ONBOARDING_STEPS));

export const cornerStoreDetails = t.object('CornerStoreDetails', {
  cornerStoreId: t.uuid,
  userId: t.uuid,
  status: t.oneOf(SHOWN_STATUSES),
  creditLimit: t.pesos,
  interestRate: t.rate,
  rejectionReason: t.nullable(t.text),
  approvalReason: t.nullable(t.text),
  pendingChange,
  timeZone: t.nullable(t.text),
  firstName: t.text,
  lastNames: t.text,
  phoneNumber: t.text,
  cornerStoreName: t.nullable(t.text),
  information: t.nullable(
    t.object('CornerStoreInformation', {
      cornerStoreType: t.text,
      businessLifetime: t.text,
      ownershipStatus: t.text,
      cornerStoreAddress: t.text,
      localeOwner: t.text,
    }),
  ),
  completedSteps: steps,
  missingSteps: steps,
  customers: t.listOf(
    t.object('CustomerLink', {
      wholesalerId: t.uuid,
      externalId: t.text,
      phoneHeldUntil: t.nullable(t.timestamp),
    }),
  ),
  createdAt: t.timestamp,
  blockedAt: t.nullable(t.timestamp),
  erasedAt: t.nullable(t.timestamp),
});

/** Fields of CONFIRMATION_REQUIRED: the old and the new value of each unusual one. */
export const refusedTerms = t.object(
  'RefusedTerms',
  {
    creditLimit: t.pesos,
    newCreditLimit: t.pesos,
    interestRate: t.rate,
    newInterestRate: t.rate,
  },
  ['creditLimit', 'newCreditLimit', 'interestRate', 'newInterestRate'],
);

export const exampleDetails: t.AnswerOf<typeof cornerStoreDetails> = {
  cornerStoreId: EXAMPLE_IDS.cornerStoreId,
  userId: EXAMPLE_IDS.userId,
  status: 'in-manual-validation',
  creditLimit: 10_000,
  interestRate: 0.05,
  rejectionReason: null,
  approvalReason: null,
  pendingChange: null,
  timeZone: null,
  firstName: 'Lucía',
  lastNames: 'Ortega Ruiz',
  phoneNumber: EXAMPLE_PHONE,
  cornerStoreName: 'Abarrotes Lucía',
  information: null,
  completedSteps: ['COMPLETED'],
  missingSteps: [],
  customers: [
    { wholesalerId: EXAMPLE_IDS.wholesalerId, externalId: 'tienda-001', phoneHeldUntil: null },
  ],
  createdAt: '2026-09-21T16:04:05.678Z',
  blockedAt: null,
  erasedAt: null,
};

/** A corner store as ops sees it, with the personal data that an approval needs. */
export function presentCornerStoreDetails(
  store: CornerStoreDetails,
  { sealer }: Context,
): t.AnswerOf<typeof cornerStoreDetails> {
  const { completedSteps, missingSteps } = progressOf(store.onboardingSteps);
  return {
    cornerStoreId: store.cornerStoreId,
    userId: store.userId,
    status: shownStatus(store.status, store.overdue),
    creditLimit: amountOf(store.creditLimitCents),
    interestRate: Number(store.interestRate),
    rejectionReason: store.rejectionReason,
    approvalReason: store.approvalReason,
    pendingChange: presentPendingChange(store.pendingChange),
    timeZone: store.timeZone,
    ...ownerOf(store, sealer),
    cornerStoreName:
      store.name === null
        ? null
        : sealer.open(store.name, PURPOSE.cornerStoreName, store.cornerStoreId),
    information:
      store.information === null
        ? null
        : informationOf(sealer, store.information, store.cornerStoreId),
    completedSteps,
    missingSteps,
    customers: store.customers.map(({ wholesalerId, externalId, phoneHeldUntil }) => ({
      wholesalerId,
      externalId,
      phoneHeldUntil: phoneHeldUntil === null ? null : new Date(phoneHeldUntil).toISOString(),
    })),
    createdAt: store.createdAt.toISOString(),
    blockedAt: store.blockedAt?.toISOString() ?? null,
    erasedAt: store.erasedAt?.toISOString() ?? null,
  };
}

/** Names and phone of the owner; empty once they are erased. */
function ownerOf(
  { firstName, lastNames, phone, userId, cornerStoreId }: CornerStoreDetails,
  sealer: Sealer,
): { firstName: string; lastNames: string; phoneNumber: string } {
  const open = (sealed: Buffer | null, purpose: string, id: string): string =>
    sealed === null ? '' : sealer.open(sealed, purpose, id);
  return {
    firstName: open(firstName, PURPOSE.firstName, userId),
    lastNames: open(lastNames, PURPOSE.lastNames, userId),
    phoneNumber: open(phone, PURPOSE.phone, cornerStoreId),
  };
}

/** The same without personal data: initials, the last four digits, no name and no address of the store. */
export function presentMaskedCornerStoreDetails(
  store: CornerStoreDetails,
  context: Context,
): t.AnswerOf<typeof cornerStoreDetails> {
  const { firstName, lastNames, phoneNumber } = ownerOf(store, context.sealer);
  return {
    ...presentCornerStoreDetails(store, context),
    firstName: initialsOf(firstName),
    lastNames: initialsOf(lastNames),
    phoneNumber: phoneNumber === '' ? '' : maskPhone(phoneNumber),
    cornerStoreName: null,
    information: null,
  };
}

/** What the endpoints that change a corner store have in common. */
export const cornerStoreChange = {
  tag: 'Ops: corner stores',
  errors: ['CORNER_STORE_NOT_FOUND', 'CORNER_STORE_IS_BLOCKED'],
  answer: cornerStoreDetails,
  example: { ...exampleDetails, status: 'approved' },
  present: presentCornerStoreDetails,
} as const;

/** 'Ortega Ruiz' becomes 'O. R.'. */
function initialsOf(names: string): string {
  return names.trim().replaceAll(/(\S)\S*/gu, '$1.');
}

function informationOf(sealer: Sealer, sealed: Buffer, cornerStoreId: string) {
  const { cornerStoreType, businessLifetime, ownershipStatus, cornerStoreAddress, localeOwner } =
    JSON.parse(sealer.open(sealed, PURPOSE.information, cornerStoreId)) as CornerStoreInformation;
  return { cornerStoreType, businessLifetime, ownershipStatus, cornerStoreAddress, localeOwner };
}
