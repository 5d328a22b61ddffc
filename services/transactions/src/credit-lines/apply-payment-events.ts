import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import type { Envelope } from '@fiado/contracts/define';
import { AppError } from '@fiado/contracts/errors';
import type {
  DefaultsChanged,
  PaymentApplied,
  PaymentReversed,
  ReceivableCredited,
} from '@fiado/contracts/jobs/debts';
import type { Context } from '../context';
import { changeUsedCredit } from './used-credit';

/**
 * Applies a payment or its reversal to an order, once for each message. Repaid principal
 * becomes available credit again; reversed principal is used credit again, even beyond the limit.
 * Both events carry the state of the receivable and not the change, so that only the newest counts,
 * in whatever order they arrive.
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function applyPaymentEvent(
  context: Context,
  { id, aggregateVersion: version, data }: Envelope<PaymentApplied | PaymentReversed>,
): Promise<void> {
  const { transactionId, cornerStoreId, outstandingPrincipalCents: owedCents } = data;
  const isPaid = 'appliedAt' in data && data.outstandingCents === 0;
  await applyReceivable(context, id, {
    transactionId,
    cornerStoreId,
    owedCents,
    version,
    paidAt: isPaid ? data.appliedAt : null,
    causeId: data.paymentId,
    kind: 'repayment',
  });
}

/**
 * Applies a credit note as payments booked it, once for each message: credited principal becomes
 * available credit again. Its state too counts only if it is the newest.
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function applyCreditEvent(
  context: Context,
  { id, aggregateVersion: version, data }: Envelope<ReceivableCredited>,
): Promise<void> {
  const { transactionId, cornerStoreId, paidAt } = data;
  await applyReceivable(context, id, {
    transactionId,
    cornerStoreId,
    owedCents: data.outstandingPrincipalCents,
    version,
    paidAt,
    causeId: data.creditNoteId,
    kind: 'credit',
  });
}

interface NewestReceivable {
  transactionId: string;
  cornerStoreId: string;
  version: number;
  /** Null while something is owed. */
  paidAt: string | null;
  /** The principal that is still owed. */
  owedCents: number;
  /** Id of the payment or the credit note. */
  causeId: string;
  /** Kind of the entry in the ledger if credit becomes free. */
  kind: 'repayment' | 'credit';
}

async function applyReceivable(
  { db }: Context,
  messageId: string,
  receivable: NewestReceivable,
): Promise<void> {
  const { transactionId, cornerStoreId, causeId, kind } = receivable;
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;

    // The order's row first, then the credit line: always in this sequence.
    const changeCents = await recordReceivable(tx, receivable);
    if (changeCents === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    if (changeCents === 0) return;
    await changeUsedCredit(tx, {
      cornerStoreId,
      transactionId,
      // An event that overtook others brings their changes too.
      kind: changeCents < 0 ? kind : 'reversal',
      amountCents: changeCents,
      causeId,
    });
  });
}

/**
 * Applies an event about defaults, once for each message: a credit line is frozen while any debt is
 * overdue, and the affected transactions change between delivery and in-payment-default.
 */
export async function applyDefaultsEvent(
  { db }: Context,
  { id, aggregateVersion: version, data }: Envelope<DefaultsChanged>,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, id))) return;

    // The orders' rows first, then the credit line: always in this sequence.
    await recordDefaults(tx, data.opened, { version, inDefault: true });
    await recordDefaults(tx, data.closed, { version, inDefault: false });
    await query(
      tx,
      `UPDATE credit_lines SET overdue = $3, overdue_version = $2
        WHERE corner_store_id = $1 AND overdue_version < $2`,
      [data.cornerStoreId, version, data.overdueCount > 0],
    );
  });
}

/**
 * The status that follows from the events of payments, which arrive in any order, so it is computed
 * again from the newest of each kind. An order that is not delivered keeps its status.
 */
const SETTLED_STATUS = (paid: string, inDefault: string): string => `
  CASE WHEN status NOT IN ('delivery', 'in-payment-default', 'paid') THEN status
       WHEN ${paid} THEN 'paid'
       WHEN ${inDefault} THEN 'in-payment-default'
       ELSE 'delivery' END`;

/**
 * Stores the state of an order's receivable in payments, unless a newer one is stored.
 * @returns by how much the principal that is owed changed, in cents; undefined when there is no
 *   such transaction
 */
async function recordReceivable(
  tx: Db,
  {
    transactionId,
    version,
    paidAt,
    owedCents,
  }: Pick<NewestReceivable, 'transactionId' | 'version' | 'paidAt' | 'owedCents'>,
): Promise<number | undefined> {
  const newest =
    'CASE WHEN $2 > t.receivable_version THEN $3::timestamptz IS NOT NULL ELSE t.paid END';
  const [row] = await query<{ changeCents: number }>(
    tx,
    `WITH before AS (
       SELECT id, owed_cents FROM transactions WHERE id = $1 FOR NO KEY UPDATE
     )
     UPDATE transactions t
        SET version = t.version + 1, receivable_version = greatest(t.receivable_version, $2),
            owed_cents = CASE WHEN $2 > t.receivable_version THEN $4 ELSE t.owed_cents END,
            paid_at = CASE WHEN $2 > t.receivable_version THEN $3 ELSE t.paid_at END,
            paid = ${newest}, status = ${SETTLED_STATUS(newest, 'in_default')}
       FROM before WHERE t.id = before.id
     RETURNING t.owed_cents - before.owed_cents AS "changeCents"`,
    [transactionId, version, paidAt, owedCents],
  );
  return row?.changeCents;
}

/** Stores which of a corner store's transactions are in default, unless a newer version is stored. */
async function recordDefaults(
  tx: Db,
  transactionIds: string[],
  { version, inDefault }: { version: number; inDefault: boolean },
): Promise<void> {
  await query(
    tx,
    `UPDATE transactions
        SET version = version + 1, default_version = $2, in_default = $3,
            status = ${SETTLED_STATUS('paid', '$3')}
      WHERE id = ANY($1::uuid[]) AND default_version < $2`,
    [transactionIds, version, inDefault],
  );
}
