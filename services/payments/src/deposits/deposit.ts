import type { Transaction } from '@fiado/chassis/db/database';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { RowJob } from '@fiado/chassis/row-jobs/row-job';
import { amountOf } from '@fiado/contracts/money';
import { receivableFields } from '../debts/receivable';
import { DepositRow } from './deposit.entity';
import { isUnlikelyTime, UNMATCHED_REASONS } from './deposit.rules';

/**
 * Characters of a reference that its column keeps, to bound what a list of deposits answers. Our own
 * have 13 at most; the whole text stays in the kept body, which the request's limit bounds.
 */
export const KEPT_REFERENCE_LENGTH = 1_000;

/**
 * received: not processed yet. unmatched: ops decides whose debt it pays. reversed: undone by ops,
 * from any status.
 */
export const DEPOSIT_STATUSES = ['received', 'applied', 'unmatched', 'reversed'] as const;

export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** A deposit, without the columns for the attempts of the loop and for a migration. */
export type Deposit = Omit<
  DepositRow,
  | 'keyCollides'
  | 'attempts'
  | 'nextAttemptAt'
  | 'lastError'
  | 'deadAt'
  | 'requestId'
  | 'traceparent'
>;

/** Deposits with the status `received` are still to be applied. Providers take turns. */
export const DEPOSITS_TO_APPLY: RowJob = {
  type: 'apply-deposit',
  loop: 'apply deposits',
  table: 'deposits',
  isOpen: `status = 'received'`,
  tenant: 'payment_provider_id',
  createdAt: 'received_at',
};

/** Locks a deposit: it is applied, assigned or reversed by one database transaction at a time. */
export function lockDeposit(tx: Transaction, depositId: string): Promise<Deposit | null> {
  const lock = { mode: 'for_no_key_update' } as const;
  return tx.manager.findOne(DepositRow, { where: { id: depositId }, lock });
}

/** A deposit as ops sees it. */
export type DepositView = Omit<
  Deposit,
  'paymentProviderId' | 'bodyHash' | 'body' | 'isSigned' | 'userId' | 'unassignments'
>;

/** SQL: the columns of a DepositView that are shown, of rows of deposits. */
export const DEPOSIT_COLUMNS = `id, provider_name, id_factura, numero_referencia, valor_cents, fecha_pago,
  clave_de_pago, status, unmatched_reason, possible_duplicate_of, received_at, paid_at`;

/** The five fields of `recordDeposit`; a reference of more than 1,000 characters is cut there. */
export const noticeFields = {
  idFactura: receivableFields.idFactura,
  numeroReferencia: fields.numeroReferencia,
  valor: t.field(t.pesos, 'Amount of the deposit', 529),
  fechaPago: t.field(t.text, 'Time of the payment, without a time zone', '2026-10-02 09:30:00.000'),
  claveDePago: t.field(
    t.text,
    'The provider’s own id of the deposit, unique among its deposits',
    'SPEI-20261002-000042',
  ),
  receivedAt: t.time('Time at which Fiado stored the deposit', '2026-10-02T15:30:01.234Z'),
};

/** What the payment provider gets to know, too: the notice and its status. */
const stateFields = {
  depositId: fields.depositId,
  ...noticeFields,
  paymentProvider: t.field(t.text, 'Name of the payment provider', 'Acme'),
  status: t.field(t.oneOf(DEPOSIT_STATUSES), 'State of the deposit'),
  reason: t.field(
    t.nullable(t.oneOf(UNMATCHED_REASONS)),
    'Why an unmatched deposit has no debt; null for any other',
  ),
};

export const depositFields = {
  ...stateFields,
  hasUnlikelyTime: t.field(
    t.flag,
    'Whether `fechaPago` is more than 90 days before `receivedAt`: perhaps its month or year is wrong',
    false,
  ),
  possibleDuplicateOf: t.idOrNull(
    'Id of an earlier deposit with the same provider, references, amount and day. With the same time, to ' +
      'the millisecond, this one waits (`possible-duplicate`); otherwise it is only pointed out',
    'c0ffee00-1234-4abc-8def-0123456789aa',
  ),
};

/** A deposit as ops sees it: the notice, its provider and its status. */
export const depositAnswer = t.object('Deposit', depositFields);

export const exampleNotice = {
  idFactura: '4829105736423',
  numeroReferencia: '830274915602',
  valor: 529,
  fechaPago: '2026-10-02 09:30:00.000',
  claveDePago: 'SPEI-20261002-000042',
};

export const exampleDeposit: t.ExampleOf<typeof depositAnswer> = {
  paymentProvider: 'Pagos del Centro',
  status: 'unmatched',
  reason: 'ambiguous',
  possibleDuplicateOf: null,
};

const depositState = t.object('DepositState', stateFields);

/** A deposit as its provider gets it in events. */
export function presentDepositState(
  deposit: Omit<DepositView, 'paidAt' | 'possibleDuplicateOf'>,
): t.AnswerOf<typeof depositState> {
  return t.presentRow(depositState, deposit, {
    depositId: deposit.id,
    valor: amountOf(deposit.valorCents),
    paymentProvider: deposit.providerName,
    // A row of a release without reasons, in which only unknown references were unmatched.
    reason: deposit.status === 'unmatched' ? (deposit.unmatchedReason ?? 'unknown') : null,
  });
}

export function presentDeposit(deposit: DepositView): t.AnswerOf<typeof depositAnswer> {
  return {
    ...presentDepositState(deposit),
    hasUnlikelyTime: isUnlikelyTime(deposit),
    possibleDuplicateOf: deposit.possibleDuplicateOf,
  };
}
