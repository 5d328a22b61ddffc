import { query, type Db } from '@fiado/shared/chassis/db/query';

/**
 * Deletes messages that are over, with their attempts, the oldest first, and the rows of phones that
 * have no message left.
 * @returns how many messages
 */
export async function deleteOldMessages(
  db: Db,
  { keepDays, limit }: { keepDays: number; limit: number },
): Promise<number> {
  const deleted = await query<{ phone: Buffer }>(
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
     DELETE FROM messages WHERE id IN (SELECT id FROM old) RETURNING phone_index AS phone`,
    [keepDays, limit],
  );
  await query(
    db,
    `DELETE FROM phone_claims
      WHERE phone_index = ANY ($1)
        AND NOT EXISTS (SELECT FROM messages WHERE messages.phone_index = phone_claims.phone_index)`,
    [deleted.map(({ phone }) => phone)],
  );
  return deleted.length;
}
