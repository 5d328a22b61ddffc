import { pendingChange, presentPendingChange } from '@fiado/chassis/four-eyes';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { PAUSE_REASONS } from '@fiado/contracts/corner-store';
import { amountOf } from '@fiado/contracts/money';
import { ONBOARDING_STEPS, type CornerStoreInformation } from '@fiado/contracts/onboarding';
import { maskPhone } from '@fiado/contracts/phone';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { progressOf } from '../onboarding/onboarding.rules';
import type { CornerStoreDetails } from './corner-store-details.sql';
import { shownStatus } from './corner-store.rules';
import { cornerStoreFields } from './find-corner-stores';

/** Scope of ops whose callers see names, phones and addresses in full. */
export const READS_PERSONAL_DATA = 'operator';

const steps = t.listOf(t.oneOf(ONBOARDING_STEPS));

export const cornerStoreInformation = t.object('CornerStoreInformation', {
  cornerStoreType: t.field(t.text, 'Kind of store', 'ABARROTES'),
  businessLifetime: t.field(t.text, 'How long the store has existed', 'MORE_THAN_FIVE_YEARS'),
  ownershipStatus: t.field(t.text, 'Whether the user owns the store or works there', 'DUEÑO'),
  cornerStoreAddress: t.field(t.text, 'Address of the store', 'Av. Juárez 12, Centro, Puebla'),
  localeOwner: t.field(t.text, 'Whether the premises are owned or rented', 'PROPIO'),
});

export const cornerStoreDetails = t.object('CornerStoreDetails', {
  cornerStoreId: fields.cornerStoreId,
  userId: fields.userId,
  status: cornerStoreFields.status,
  creditLimit: fields.creditLimit,
  interestRate: fields.interestRate,
  rejectionReason: t.textOrNull('Why ops rejected the corner store', 'The document cannot be read'),
  approvalReason: t.textOrNull(
    'Why the store was approved although its onboarding is incomplete',
    'Visited on 3 October',
  ),
  paused: t.field(
    t.nullable(
      t.object('Pause', {
        at: t.time('Since when', '2026-11-25T17:00:00.000Z'),
        reason: t.field(t.oneOf(PAUSE_REASONS), 'Why'),
        by: t.field(
          t.text,
          'Id of the person or of the ops key',
          'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
        ),
        byName: t.textOrNull('Name of that person; null of a key', 'Ana Torres'),
      }),
    ),
    'While it is paused: it cannot order, and gets no code',
  ),
  pendingChange,
  timeZone: t.nullable(fields.timeZone),
  firstName: fields.firstName,
  lastNames: fields.lastNames,
  phoneNumber: fields.phoneNumber,
  cornerStoreName: t.nullable(fields.cornerStoreName),
  information: t.field(t.nullable(cornerStoreInformation), 'Data of the store'),
  completedSteps: t.field(steps, 'Steps that were recorded'),
  missingSteps: t.field(steps, 'Steps that were not recorded yet'),
  customers: t.list(
    t.object('CustomerLink', {
      wholesalerId: fields.wholesalerId,
      externalId: fields.externalId,
      phoneHeldUntil: t.timeOrNull(
        'Until when orders of this wholesaler are held because the phone number changed',
        '2026-11-25T16:00:00.000Z',
      ),
    }),
    'Wholesalers that sell to the corner store',
  ),
  createdAt: fields.createdAt,
  blockedAt: t.timeOrNull(
    'When its owner was blocked at their request; null while they are not',
    '2026-11-25T17:00:00.000Z',
  ),
  erasedAt: t.timeOrNull(
    'When the data of its owner were erased; null while they are kept',
    '2036-11-25T17:00:00.000Z',
  ),
});

/** Fields of CONFIRMATION_REQUIRED: the old and the new value of each unusual one. */
export const refusedTerms = t.object(
  'RefusedTerms',
  {
    creditLimit: fields.creditLimit,
    newCreditLimit: t.field(t.pesos, 'The wanted credit limit', 150_000),
    interestRate: fields.interestRate,
    newInterestRate: t.field(t.rate, 'The wanted interest rate', 0.4),
  },
  ['creditLimit', 'newCreditLimit', 'interestRate', 'newInterestRate'],
);

export const exampleDetails: t.ExampleOf<typeof cornerStoreDetails> = {
  status: 'in-manual-validation',
  rejectionReason: null,
  approvalReason: null,
  timeZone: null,
  completedSteps: ['COMPLETED'],
  missingSteps: [],
  customers: [{ phoneHeldUntil: null }],
  blockedAt: null,
  erasedAt: null,
};

/** A corner store as ops sees it, with the personal data that an approval needs. */
export function presentCornerStoreDetails(
  store: CornerStoreDetails,
  { sealer }: Context,
): t.AnswerOf<typeof cornerStoreDetails> {
  const { completedSteps, missingSteps } = progressOf(store.onboardingSteps);
  return t.presentRow(cornerStoreDetails, store, {
    status: shownStatus(store.status, store.overdue),
    creditLimit: amountOf(store.creditLimitCents),
    interestRate: Number(store.interestRate),
    paused: presentPause(store),
    pendingChange: presentPendingChange(store.pendingChange),
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
  });
}

function presentPause({ pause, pausedByName: byName }: CornerStoreDetails) {
  if (pause === null) return null;
  const { at, reason, by } = pause;
  return { at, reason, by, byName };
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

/** Shared by the endpoints that change a corner store. */
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
