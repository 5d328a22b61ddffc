import type { Transaction } from '@fiado/chassis/db/database';
import { PERSON, type Person, personParameters } from '@fiado/chassis/db/personal-data';
import { query } from '@fiado/chassis/db/query';
import { guardRow } from '@fiado/chassis/loop';
import type { Context } from '../context';
import { MESSAGES_OF_PERSON } from '../db/personal-data';
import { SmsError } from './sms-provider';

export const PROVIDER_COPIES = 'provider copies';
/** Copies of one round. Each is a call to the provider, one after another: they are in no hurry. */
const BATCH_SIZE = 20;
/** Pause after the first failed call, doubled after each further one. It is longer than a call, which may crash. */
const FIRST_PAUSE_SECONDS = 60;
const MAX_PAUSE_SECONDS = 3_600;

/**
 * Stores which messages of a person the SMS provider has copies of, in the caller's database transaction. The
 * provider may later report the id of a message that is being sent or whose outcome is unknown.
 */
export async function keepProviderCopies(tx: Transaction, person: Person): Promise<void> {
  await query(
    tx,
    `INSERT INTO provider_copies (message_id, sid)
     SELECT own.id, own.provider_sid FROM messages own CROSS JOIN ${PERSON}
      WHERE (${MESSAGES_OF_PERSON}) AND own.provider = 'twilio'
        AND (own.provider_sid IS NOT NULL OR own.status IN ('sending', 'unknown'))
     ON CONFLICT (message_id) DO UPDATE SET sid = excluded.sid`,
    personParameters(person),
  );
}

/**
 * One round: asks the SMS provider to delete its copies. A copy whose call fails is tried again later.
 * @returns whether there may be more
 */
export async function deleteProviderCopies(context: Context): Promise<boolean> {
  const { db, log, sender } = context;
  const due = await query<{ messageId: string; sid: string }>(
    db,
    `WITH due AS (
       SELECT copy.message_id, coalesce(copy.sid, message.provider_sid) AS sid
         FROM provider_copies copy LEFT JOIN messages message ON message.id = copy.message_id
        WHERE copy.next_attempt_at <= now()
          AND coalesce(copy.sid, message.provider_sid) IS NOT NULL
        ORDER BY copy.next_attempt_at LIMIT $1
        FOR NO KEY UPDATE OF copy SKIP LOCKED
     ), nameless AS (
       -- The provider reports nothing for a message that is deleted.
       DELETE FROM provider_copies
        WHERE sid IS NULL AND NOT EXISTS (SELECT FROM messages WHERE id = message_id)
     )
     UPDATE provider_copies copy
        SET sid = due.sid, attempts = attempts + 1,
            next_attempt_at = now() + make_interval(secs => least($2 * 2.0 ^ attempts, $3))
       FROM due WHERE copy.message_id = due.message_id
     RETURNING copy.message_id, copy.sid`,
    [BATCH_SIZE, FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS],
  );
  for (const { messageId, sid } of due) {
    await guardRow(PROVIDER_COPIES, { log, messageId }, async () => {
      try {
        await sender.provider.deleteCopy(sid);
      } catch (error) {
        if (!(error instanceof SmsError)) throw error;
        log.warn({ messageId, failure: error.failure }, 'copy at the SMS provider not deleted');
        return;
      }
      await query(db, 'DELETE FROM provider_copies WHERE message_id = $1', [messageId]);
    });
  }
  return due.length === BATCH_SIZE;
}
