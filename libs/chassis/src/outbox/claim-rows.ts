import type { Envelope } from '@fiado/contracts/define-job';
import { SERVICES } from '@fiado/contracts/process-names';
import type { Database } from '../db/database';
import { query, queryNamed } from '../db/query';

/**
 * Rows of each queue in one iteration: a few milliseconds of work, so that a stop never waits long.
 */
export const BATCH_SIZE = 100;
/** Rows of each queue in one iteration that it refused before: each is tried by itself. */
const RETRY_BATCH_SIZE = 20;
/** How long the rows of a relay that ended stay locked for the others. */
const LEASE_SECONDS = 10;
/** When rows are retried while no queue answers: queues that restart are back by then. */
const AWAY_SECONDS = 1;
/**
 * The longest pause of a row that its queue refuses. The pause is the age of the row, so it doubles
 * from a second on.
 */
const MAX_PAUSE_SECONDS = 60;

export interface ClaimedRow extends Omit<Envelope, 'occurredAt'> {
  queue: string;
  occurredAt: Date;
  waitedSeconds: number;
  /** Whether its queue refused it before. */
  isRetry: boolean;
  /** The span that wrote the row; null where traces were off. */
  traceparent: string | null;
}

/** Claims waiting rows of every queue for this relay. */
export function claimRows(db: Database): Promise<ClaimedRow[]> {
  const limits = [BATCH_SIZE, RETRY_BATCH_SIZE, LEASE_SECONDS];
  return queryNamed<ClaimedRow>(db, 'claim-outbox', CLAIM, [SERVICES, ...limits]);
}

/** The rows are in their queues. */
export async function markEnqueued(db: Database, ids: string[]): Promise<void> {
  if (ids.length > 0) await queryNamed(db, 'mark-enqueued', MARK_ENQUEUED, [ids]);
}

/** Their queues refuse these rows: each waits as long again as it has waited. */
export async function retryLater(db: Database, ids: string[]): Promise<void> {
  if (ids.length > 0) await query(db, RETRY_LATER, [ids, MAX_PAUSE_SECONDS]);
}

/** No queue answers: shortens the lease. */
export async function retrySoon(db: Database, ids: string[]): Promise<void> {
  if (ids.length > 0) await query(db, RETRY_SOON, [ids, AWAY_SECONDS]);
}

/**
 * Commits a statement of the relay without waiting for the disk. A server that crashes may forget
 * it: the row is added again then, as after a crash between adding and marking.
 */
const WITHOUT_SYNC = `(SELECT set_config('synchronous_commit', 'off', true)) = 'off'`;

/**
 * Takes rows of each queue, so that the many of one never hold up another's: those that are new,
 * oldest first, and then some that were refused.
 */
const CLAIM = `
  UPDATE outbox
     SET leased_until = now() + make_interval(secs => $4), enqueue_count = enqueue_count + 1
   WHERE id = ANY (ARRAY (${ofEachQueue('retry_at IS NULL', '$2')})
                || ARRAY (${ofEachQueue('retry_at <= now()', '$3')}))
     AND ${WITHOUT_SYNC}
  RETURNING id, queue, type, version, created_at AS "occurredAt",
            aggregate_id, aggregate_version, data, request_id, traceparent,
            retry_at IS NOT NULL AS "isRetry",
            EXTRACT(EPOCH FROM clock_timestamp() - created_at)::float8 AS "waitedSeconds"`;

/** The first waiting rows of each queue: a range of the index outbox_waiting for each. */
function ofEachQueue(due: string, limit: string): string {
  return `
     SELECT waiting.id FROM unnest($1::text[]) AS name CROSS JOIN LATERAL (
       SELECT id FROM outbox
        WHERE queue = name AND enqueued_at IS NULL AND ${due}
          AND (leased_until IS NULL OR leased_until < now())
        ORDER BY retry_at NULLS FIRST, created_at LIMIT ${limit}
        -- Several instances of a service relay side by side: each takes rows nobody holds.
        FOR UPDATE SKIP LOCKED) waiting`;
}

const MARK_ENQUEUED = `
  UPDATE outbox SET enqueued_at = now(), leased_until = NULL
   WHERE id = ANY($1) AND ${WITHOUT_SYNC}`;

const RETRY_LATER = `
  UPDATE outbox
     SET leased_until = NULL,
         retry_at = now() + least(greatest(now() - created_at, interval '1 second'),
                                  make_interval(secs => $2))
   WHERE id = ANY($1) AND enqueued_at IS NULL`;

const RETRY_SOON = `
  UPDATE outbox SET leased_until = now() + make_interval(secs => $2)
   WHERE id = ANY($1) AND enqueued_at IS NULL`;
