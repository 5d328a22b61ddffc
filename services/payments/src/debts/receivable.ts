import type { Db } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import { pendingChange, presentPendingChange } from '@fiado/chassis/four-eyes';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { pendingChangeOf } from '@fiado/chassis/outbox/waiting-changes';
import type { PendingChange } from '@fiado/contracts/change-requests';
import { amountOf } from '@fiado/contracts/money';
import { OPEN_RECOVERIES } from '../payouts/recoveries.sql';
import { type Parts, sumOf } from './allocation.rules';
import { daysOverdue, type Due, RECEIVABLE_STATUSES, receivableStatus } from './due.rules';

/** SQL of a Due's columns, of the receivables `r`. */
export const DUE = 'r.due_at, r.due_on::text AS "dueOn", r.time_zone';

/**
 * The unpaid amount of a row of receivables, in cents: neither paid nor credited. The index receivables_owed has it.
 */
export const OUTSTANDING = `(principal_cents + interest_cents + iva_cents
          - paid_principal_cents - paid_interest_cents - paid_iva_cents
          - credited_principal_cents - credited_interest_cents - credited_iva_cents)`;

/** The sum of the credit notes on a row of receivables, in cents. */
export const CREDITED = '(credited_principal_cents + credited_interest_cents + credited_iva_cents)';

/** A debt as ops sees it, of receivables joined with credit_balances. Amounts in cents. */
export interface OpsReceivable extends Due, Parts {
  id: string;
  transactionId: string;
  wholesalerId: string;
  cornerStoreId: string;
  userId: string;
  externalId: string;
  idFactura: string;
  numeroReferencia: string;
  outstandingCents: number;
  creditedCents: number;
  openedAt: Date;
  paidAt: Date | null;
  inDefault: boolean;
  /** When it left the portfolio; it stays owed. */
  writtenOffAt: Date | null;
  /** A write-off that waits for a second person. */
  pendingChange: PendingChange | null;
}

/** Columns of an OpsReceivable. */
export const OPS_RECEIVABLE = `
  receivables.id, transaction_id, wholesaler_id, receivables.corner_store_id,
  receivables.user_id, external_id, id_factura, numero_referencia, principal_cents, interest_cents,
  iva_cents, ${OUTSTANDING} AS outstanding_cents, ${CREDITED} AS credited_cents, due_at, due_on::text AS "dueOn",
  time_zone, opened_at, paid_at, in_default,
  (SELECT w.created_at FROM write_offs w WHERE w.receivable_id = receivables.id) AS written_off_at,
  ${pendingChangeOf('receivables.id')} AS pending_change`;

export const receivableFields = {
  receivableId: fields.receivableId,
  transactionId: fields.transactionId,
  wholesalerId: fields.wholesalerId,
  cornerStoreId: fields.cornerStoreId,
  userId: fields.userId,
  externalId: fields.externalId,
  idFactura: t.field(
    t.text,
    'Reference of one debt: 13 digits, the last a check digit (Luhn)',
    '4829105736423',
  ),
  numeroReferencia: fields.numeroReferencia,
  status: t.field(
    t.oneOf(RECEIVABLE_STATUSES),
    'Whether the debt is paid, and if not, whether its date has passed',
  ),
  daysOverdue: t.field(
    t.count,
    'Days since the last day to pay: 1 on the day after it; 0 before it and once paid',
    3,
  ),
  totalAmount: fields.totalAmount,
  interests: fields.interests,
  IVAAmount: fields.IVAAmount,
  amountDue: t.field(t.pesos, 'What is still owed, with interest and IVA', 529),
  amountPaid: t.field(t.pesos, 'What was paid so far', 0),
  amountCredited: t.field(t.pesos, 'What credit notes took off', 0),
  paymentDate: fields.paymentDate,
  paymentTimeZone: fields.paymentTimeZone,
  createdAt: t.time('Time at which the delivery was booked', '2026-09-21T16:04:05.678Z'),
  paidAt: t.timeOrNull(
    'Time of the payment: of a debt, that of its last cent',
    '2026-12-02T16:30:02.345Z',
  ),
  writtenOffAt: t.timeOrNull('When the debt was written off', '2026-10-02T15:30:01.234Z'),
  pendingChange,
};

export const receivableAnswer = t.object('Receivable', receivableFields);

export const exampleReceivable: t.ExampleOf<typeof receivableAnswer> = {
  status: 'overdue',
  paidAt: null,
  writtenOffAt: null,
};

/**
 * @param now on which depends whether it is overdue
 * @param installationZone of debts that have no time zone
 */
export function presentReceivable(
  receivable: OpsReceivable,
  now: Date,
  installationZone: string,
): t.AnswerOf<typeof receivableAnswer> {
  const { outstandingCents, creditedCents } = receivable;
  return t.presentRow(receivableAnswer, receivable, {
    receivableId: receivable.id,
    status: receivableStatus(receivable, now),
    daysOverdue: daysOverdue(receivable, now, installationZone),
    totalAmount: amountOf(receivable.principalCents),
    interests: amountOf(receivable.interestCents),
    IVAAmount: amountOf(receivable.ivaCents),
    amountDue: amountOf(outstandingCents),
    amountPaid: amountOf(sumOf(receivable) - creditedCents - outstandingCents),
    amountCredited: amountOf(creditedCents),
    paymentDate: receivable.dueAt.toISOString(),
    paymentTimeZone: receivable.timeZone ?? installationZone,
    createdAt: receivable.openedAt.toISOString(),
    pendingChange: presentPendingChange(receivable.pendingChange),
  });
}

/** All that a user still owes, recoveries too, or for that receivable alone, in cents. */
export async function owedCentsOf(
  db: Db,
  userId: string,
  receivableId: string | null = null,
): Promise<number> {
  const { cents } = await queryOne<{ cents: number }>(
    db,
    `SELECT (coalesce(sum(${OUTSTANDING}), 0)
             + CASE WHEN $2::uuid IS NULL THEN ${OPEN_RECOVERIES('$1')} ELSE 0 END)::bigint AS cents
       FROM receivables
      WHERE user_id = $1 AND paid_at IS NULL AND ($2::uuid IS NULL OR id = $2)`,
    [userId, receivableId],
  );
  return cents;
}
