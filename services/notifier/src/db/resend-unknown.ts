import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { MessageTemplate } from '@fiado/contracts/jobs/send-message';

/** A message of which nobody knows whether it was sent. */
export interface UnknownMessage {
  id: string;
  template: MessageTemplate;
  subjectId: string;
  verificationId: string | null;
}

/** Of two calls at the same time the second one must see the messages of the first. */
export async function lockResends(tx: Transaction): Promise<void> {
  await query(tx, `SELECT pg_advisory_xact_lock(hashtext('notifier.resend-unknown'))`);
}

/**
 * Unknown messages that could still be sent, oldest first: not expired, and not followed by a newer one of the same
 * kind, which somebody has asked for meanwhile.
 * @param afterId the last one of the page before
 */
export function findUnknown(
  db: Db,
  { since, afterId, limit }: { since: Date; afterId: string | undefined; limit: number },
): Promise<UnknownMessage[]> {
  return query<UnknownMessage>(
    db,
    `SELECT id, template, subject_id AS "subjectId", verification_id AS "verificationId"
       FROM messages
      WHERE status = 'unknown' AND created_at >= $1 AND expires_at > now() AND sealed IS NOT NULL
        AND ($2::uuid IS NULL
             OR (created_at, id) > (SELECT created_at, id FROM messages WHERE id = $2))
        AND NOT EXISTS (SELECT FROM messages newer
                         WHERE newer.subject_id = messages.subject_id
                           AND newer.template = messages.template
                           AND (newer.created_at, newer.id) > (messages.created_at, messages.id))
      ORDER BY created_at, id LIMIT $3`,
    [since, afterId ?? null, limit],
  );
}

/** Makes a new message of each: an intent of its own, which counts against all budgets. */
export async function insertAgain(tx: Transaction, ids: string[]): Promise<void> {
  await query(
    tx,
    `INSERT INTO messages (id, template, wholesaler_id, subject_id, verification_id, request_id,
                           phone_index, phone_masked, sealed, expires_at)
     SELECT uuidv7(), template, wholesaler_id, subject_id, verification_id, request_id,
            phone_index, phone_masked, sealed, expires_at
       FROM messages WHERE id = ANY ($1) AND status = 'unknown' AND sealed IS NOT NULL
      ORDER BY id`,
    [ids],
  );
}

/**
 * Unknown messages keep phone and values until they expire, so that ops can have them sent again.
 * @returns how many were wiped, at most `limit`
 */
export async function wipeExpiredUnknown(db: Db, limit: number): Promise<number> {
  const wiped = await query(
    db,
    `UPDATE messages SET sealed = NULL, updated_at = now()
      WHERE id IN (SELECT id FROM messages
                    WHERE status = 'unknown' AND sealed IS NOT NULL AND expires_at <= now()
                    LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING 1`,
    [limit],
  );
  return wiped.length;
}
