import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { oldestDue, oldestPending, WAITING_REASONS, waitingMessages } from '../metrics';
import { QUEUE_ID } from './message-budgets.sql';

/**
 * The pending messages by what they wait for. A wholesaler's due ones wait for its cap when that
 * was reached in this minute or the one before: at the start of a minute the claims may not be
 * finished.
 */
const WAITING = `
  WITH pending AS (
    SELECT ${QUEUE_ID} AS wholesaler_id, next_attempt_at > now() AS is_later,
           count(*) AS count, min(next_attempt_at) AS first
      FROM messages WHERE status = 'pending' GROUP BY 1, 2
  ), queues AS (
    SELECT count, first,
           CASE
             WHEN is_later THEN 'retry'
             WHEN full_minute > now() - interval '2 minutes' THEN 'wholesaler-cap'
             ELSE 'due'
           END AS reason
      FROM pending LEFT JOIN claims_of_minute USING (wholesaler_id)
  )
  SELECT reason, sum(count)::bigint AS count,
         greatest(0, EXTRACT(EPOCH FROM now() - min(first)))::float8 AS "oldestDueSeconds"
    FROM queues GROUP BY reason`;

/** Reads how many messages wait, for what and for how long. */
export async function sampleMessages({
  db,
  sender,
}: Pick<Context, 'db' | 'sender'>): Promise<Reading[]> {
  const waiting = await query<{
    reason: 'wholesaler-cap' | 'retry' | 'due';
    count: number;
    oldestDueSeconds: number;
  }>(db, WAITING);
  const pending = await queryOne<{ seconds: number }>(
    db,
    `SELECT coalesce(EXTRACT(EPOCH FROM now() - min(created_at)), 0)::float8 AS seconds
       FROM messages WHERE status = 'pending'`,
  );
  const due = waiting.find(({ reason }) => reason === 'due');
  const counts = new Map(
    waiting.map(({ reason, count }) => [
      reason === 'due' && !sender.breaker.isClosed ? 'provider-away' : reason,
      count,
    ]),
  );
  return [
    ...WAITING_REASONS.map((reason) => waitingMessages({ reason }, counts.get(reason) ?? 0)),
    oldestDue({}, due?.oldestDueSeconds ?? 0),
    oldestPending({}, pending.seconds),
  ];
}

/** The messages that wait behind their wholesaler's cap. @returns their ids */
export async function findBehindCap(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    db,
    `SELECT id FROM messages JOIN claims_of_minute USING (wholesaler_id)
      WHERE id = ANY($1) AND status = 'pending' AND attempts = 0
        AND next_attempt_at < full_minute + interval '1 minute'`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
