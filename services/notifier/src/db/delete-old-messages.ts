import { query, type Db } from '@fiado/shared/chassis/db/query';

/** Deletes messages that are over, with their attempts, the oldest first. @returns how many */
export async function deleteOldMessages(
  db: Db,
  { keepDays, limit }: { keepDays: number; limit: number },
): Promise<number> {
  const deleted = await query(
    db,
    `WITH old AS (
       SELECT id FROM messages
        WHERE created_at < now() - make_interval(days => $1)
          AND status NOT IN ('pending', 'sending')
        ORDER BY created_at LIMIT $2
        FOR UPDATE SKIP LOCKED
     ), attempts AS (
       DELETE FROM message_attempts WHERE message_id IN (SELECT id FROM old)
     )
     DELETE FROM messages WHERE id IN (SELECT id FROM old) RETURNING id`,
    [keepDays, limit],
  );
  return deleted.length;
}
