import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { type DisputeChanged, MAX_LATER_DAYS } from '@fiado/contracts/jobs/disputes';

/** SQL: the days that disputes of its order add to the last day of a row of `receivables`. */
export const laterDays = (receivables: string): string => `(
  SELECT coalesce(sum(coalesce(days, ${MAX_LATER_DAYS})), 0)::int FROM debt_disputes
   WHERE debt_disputes.transaction_id = ${receivables}.transaction_id)`;

/**
 * SQL: the last moment to pay of a row of `receivables`, with these days. `due_at` stays as it was agreed: the days of
 * the portfolio, which are kept, count from it.
 */
export const lastMoment = (receivables: string): string =>
  `(${receivables}.due_at + make_interval(hours => 24 * ${laterDays(receivables)}))`;

/** SQL: whether the order of a row of `receivables` is disputed. */
export const isDisputed = (receivables: string): string => `EXISTS (
  SELECT FROM debt_disputes
   WHERE debt_disputes.transaction_id = ${receivables}.transaction_id AND closed_at IS NULL)`;

/**
 * Keeps a dispute beside the debt of its order, which may not be booked yet. A decided one stays as it is, whichever
 * event comes last.
 */
export async function recordDispute(
  db: Db,
  { disputeId, transactionId, openedAt, closedAt, days }: DisputeChanged,
): Promise<void> {
  await query(
    db,
    `INSERT INTO debt_disputes (dispute_id, transaction_id, opened_at, closed_at, days)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (dispute_id) DO UPDATE SET closed_at = excluded.closed_at, days = excluded.days
       WHERE debt_disputes.closed_at IS NULL`,
    [disputeId, transactionId, openedAt, closedAt, days],
  );
}
