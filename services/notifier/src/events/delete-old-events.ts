import { query } from '@fiado/chassis/db/query';
import type { Context } from '../context';

/** How long an event can be listed and sent again. */
const KEEP_DAYS = 30;
/** Events of one round: some 50 ms of work, so that nothing else waits for it. */
const BATCH_SIZE = 1_000;

/**
 * Deletes a batch of old events, the oldest first, with their deliveries. One that is being sent
 * stays, because its endpoint counts it.
 * @returns whether there may be more
 */
export async function deleteOldEvents({ db, log }: Context): Promise<boolean> {
  const { length: deleted } = await query(
    db,
    `DELETE FROM events WHERE id IN (
       SELECT id FROM events
        WHERE created_at < now() - make_interval(days => $1)
          AND NOT EXISTS (SELECT FROM webhook_deliveries
                           WHERE event_id = events.id AND status = 'sending')
        ORDER BY created_at LIMIT $2
        FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [KEEP_DAYS, BATCH_SIZE],
  );
  if (deleted > 0) log.info({ deleted }, 'old events deleted');
  return deleted === BATCH_SIZE;
}
