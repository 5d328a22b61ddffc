import { query } from '@fiado/chassis/db/query';
import type { Context } from '../context';
import { WITHOUT_WHATSAPP_DAYS } from './claim-messages.sql';

/** How long ops can look a message up: a dispute over an order is over by then. */
const KEEP_DAYS = 90;
/** Messages of one round: some 50 ms of work, so that nothing else waits for it. */
const BATCH_SIZE = 1_000;

/**
 * Deletes a batch of messages that are over, with their attempts, the oldest first, and the rows of
 * phones that have no message left.
 * @returns whether there may be more
 */
export async function deleteOldMessages({ db, log }: Context): Promise<boolean> {
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
    [KEEP_DAYS, BATCH_SIZE],
  );
  await query(
    db,
    `DELETE FROM phone_claims
      WHERE phone_index = ANY ($1)
        AND NOT EXISTS (SELECT FROM messages WHERE messages.phone_index = phone_claims.phone_index)`,
    [deleted.map(({ phone }) => phone)],
  );
  await query(
    db,
    `DELETE FROM numbers_without_whatsapp
      WHERE found_at < now() - interval '${WITHOUT_WHATSAPP_DAYS} days'`,
  );
  if (deleted.length > 0) log.info({ deleted: deleted.length }, 'old messages deleted');
  return deleted.length === BATCH_SIZE;
}
