import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne, queryRow } from '@fiado/chassis/db/query';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { disputeChanged, MAX_LATER_DAYS } from '@fiado/contracts/jobs/disputes';
import type { DisputeRow } from './dispute.entity';

type Ids = Pick<DisputeRow, 'id' | 'transactionId' | 'openedAt'>;

/** How a dispute ended. */
export interface Closed {
  decidedAt: NonNullable<DisputeRow['decidedAt']>;
  /** Begun days that it was open, at most MAX_LATER_DAYS. */
  days: number;
}

/** SQL: the days of a decided dispute. */
export const DAYS = `least(${MAX_LATER_DAYS},
  greatest(1, ceil(extract(epoch FROM decided_at - opened_at) / 86400)))::int`;

/** Publishes to payments that a dispute is open, or that it is decided. */
export async function publishDispute(
  tx: Transaction,
  { id, transactionId, openedAt }: Ids,
  closed: Closed | null = null,
): Promise<void> {
  const closedAt = closed?.decidedAt.toISOString() ?? null;
  const dates = { openedAt: openedAt.toISOString(), closedAt, days: closed?.days ?? null };
  const data = { disputeId: id, transactionId, ...dates };
  const version = closed === null ? 1 : 2;
  await appendToOutbox(tx, outboxRows(disputeChanged, { id, version }, data));
}

/** SQL: what is left to credit of an order `t`, in cents. */
export const LEFT_TO_CREDIT = `(t.amount_cents
  - (SELECT coalesce(sum(principal_cents), 0) FROM credit_notes WHERE transaction_id = t.id)
  + (SELECT coalesce(sum(gross_cents), 0) FROM settlement_lines
      WHERE transaction_id = t.id AND kind = 'clawback'))::bigint`;

/** What is left to credit of an order, in cents. */
export async function leftToCredit(tx: Transaction, transactionId: string): Promise<number> {
  const { leftCents } = await queryOne<{ leftCents: number }>(
    tx,
    `SELECT ${LEFT_TO_CREDIT} AS "leftCents" FROM transactions t WHERE t.id = $1`,
    [transactionId],
  );
  return leftCents;
}

/**
 * Ends the open dispute of an order of which nothing is left to credit. The order is locked.
 * @param decidedBy who gave the note that credited the rest
 */
export async function closeCreditedDispute(
  tx: Transaction,
  transactionId: string,
  decidedBy: string,
): Promise<void> {
  const closed = await queryRow<Ids & Closed>(
    tx,
    `UPDATE disputes d SET status = 'credited', decided_by = $2, decided_at = greatest(now(), d.opened_at)
       FROM transactions t
      WHERE d.transaction_id = $1 AND d.status = 'open' AND t.id = d.transaction_id
        AND ${LEFT_TO_CREDIT} <= 0
     RETURNING d.id, d.transaction_id, d.opened_at, d.decided_at, ${DAYS} AS days`,
    [transactionId, decidedBy],
  );
  if (closed !== undefined) await publishDispute(tx, closed, closed);
}
