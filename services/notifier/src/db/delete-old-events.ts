import { query, type Db } from '@fiado/shared/chassis/db/query';

/**
 * Deletes old events, the oldest first, with their deliveries. One that is being sent stays, because
 * its endpoint counts it.
 * @returns how many
 */
export async function deleteOldEvents(
  db: Db,
  { keepDays, limit }: { keepDays: number; limit: number },
): Promise<number> {
  const deleted = await query(
    db,
    `DELETE FROM events WHERE id IN (
       SELECT id FROM events
        WHERE created_at < now() - make_interval(days => $1)
          AND NOT EXISTS (SELECT FROM webhook_deliveries
                           WHERE event_id = events.id AND status = 'sending')
        ORDER BY created_at LIMIT $2
        FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [keepDays, limit],
  );
  return deleted.length;
}
