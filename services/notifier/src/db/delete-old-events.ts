import { query, type Db } from '@fiado/shared/chassis/db/query';

/**
 * Deletes events that are over, the oldest first.
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
        ORDER BY created_at LIMIT $2
        FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [keepDays, limit],
  );
  return deleted.length;
}
