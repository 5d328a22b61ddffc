import type { Db, Transaction } from '@fiado/chassis/db/database';
import { insertRow } from '@fiado/chassis/db/rows';
import { query, queryOne } from '@fiado/chassis/db/query';

/** What a replay sends: events of the range that failed, that were never delivered, or all. */
export const REPLAY_CHOICES = ['failed', 'missing', 'all'] as const;
export type ReplayChoice = (typeof REPLAY_CHOICES)[number];

/** Events of one replay; repeat it for more. */
export const MAX_REPLAYED = 10_000;
/** Pace of a replay, in events a second: new events go between them. */
const REPLAYED_PER_SECOND = 20;

/** Sends an event once more, as a delivery of its own. */
export async function insertResend(
  tx: Transaction,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<void> {
  await query(
    tx,
    `INSERT INTO webhook_deliveries
       (id, endpoint_id, event_id, run, subject_id, subject_version, position, status)
     SELECT $1, endpoint_id, event_id,
            (SELECT max(run) + 1 FROM webhook_deliveries runs
              WHERE runs.event_id = d.event_id AND runs.endpoint_id = d.endpoint_id),
            subject_id, subject_version, position, 'pending'
       FROM webhook_deliveries d WHERE id = $2`,
    [id, deliveryId],
  );
}

/** Makes an open delivery due now. @returns its id; undefined when the event has none open */
export async function hurryOpenDelivery(
  tx: Transaction,
  deliveryId: string,
): Promise<string | undefined> {
  const [open] = await query<{ id: string }>(
    tx,
    `UPDATE webhook_deliveries
        SET next_attempt_at = CASE WHEN status = 'pending' THEN now() ELSE next_attempt_at END
      WHERE status IN ('pending', 'sending')
        AND (event_id, endpoint_id)
          = (SELECT event_id, endpoint_id FROM webhook_deliveries WHERE id = $1)
     RETURNING id`,
    [deliveryId],
  );
  return open?.id;
}

/** Whether a replay to an endpoint has deliveries that were not tried yet. */
export async function isReplaying(db: Db, endpointId: string): Promise<boolean> {
  const rows = await query(
    db,
    `SELECT 1 FROM webhook_deliveries
      WHERE status = 'pending' AND attempts = 0
        AND replay_id = (SELECT id FROM webhook_replays WHERE endpoint_id = $1
                          ORDER BY created_at DESC, id DESC LIMIT 1)
      LIMIT 1`,
    [endpointId],
  );
  return rows.length > 0;
}

export interface Replay {
  id: string;
  endpointId: string;
  ownerId: string;
  /** Of the events that the endpoint wants. */
  types: readonly string[];
  from: Date;
  to: Date;
  only: ReplayChoice;
}

/**
 * Makes a new delivery of each event of a range, oldest first and one after another. What is on its
 * way is left alone. The row of the endpoint is locked.
 * @returns how many, at most MAX_REPLAYED
 */
export async function insertReplay(
  tx: Transaction,
  { id, endpointId, ownerId, types, from, to, only }: Replay,
): Promise<number> {
  await insertRow(tx, 'webhook_replays', { id, endpointId, count: 0 });
  const { count } = await queryOne<{ count: number }>(
    tx,
    `WITH wanted AS (
       SELECT events.id, subject_id, subject_version, position, past.runs,
              row_number() OVER (ORDER BY position) AS turn
         FROM events
        CROSS JOIN LATERAL (
          SELECT coalesce(max(run) + 1, 0) AS runs,
                 bool_or(status = 'delivered') AS delivered,
                 bool_or(status IN ('pending', 'sending')) AS open,
                 bool_or(status IN ('failed', 'aborted', 'held')) AS failed
            FROM webhook_deliveries
           WHERE event_id = events.id AND endpoint_id = $2) past
        WHERE owner_id = $3 AND NOT is_test AND type = ANY ($4)
          AND occurred_at >= $5 AND occurred_at < $6
          AND open IS NOT TRUE
          AND CASE $7 WHEN 'all' THEN true
                      WHEN 'failed' THEN failed IS TRUE AND delivered IS NOT TRUE
                      ELSE delivered IS NOT TRUE END
        ORDER BY position LIMIT $8
     ), replayed AS (
       INSERT INTO webhook_deliveries
         (id, endpoint_id, event_id, run, replay_id, subject_id, subject_version, position, status,
          next_attempt_at)
       SELECT uuidv7(), $2, id, runs, $1, subject_id, subject_version, position, 'pending',
              now() + make_interval(secs => (turn - 1)::float8 / $9)
         FROM wanted
       RETURNING 1
     )
     UPDATE webhook_replays SET count = (SELECT count(*) FROM replayed) WHERE id = $1
     RETURNING count`,
    [id, endpointId, ownerId, types, from, to, only, MAX_REPLAYED, REPLAYED_PER_SECOND],
  );
  return count;
}
