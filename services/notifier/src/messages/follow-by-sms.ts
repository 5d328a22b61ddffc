import type { Database } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Logger } from '@fiado/chassis/logger';
import type { MessageTemplate } from '@fiado/contracts/message-catalogue';
import { countSms } from '../metrics';
import type { MessageSender } from './message-sender';
import { WITHOUT_WHATSAPP } from './outcome.rules';

/** Messages of one round: some 50 ms of work. */
const BATCH_SIZE = 500;

/**
 * One round: makes the SMS of WhatsApp messages that have failed, or are late. The message and its SMS change in one
 * statement, so that each is followed once, and a message that still waits is not sent by WhatsApp any more. One that is
 * being sent is left until its call has ended. A number that WhatsApp does not know is remembered.
 * @returns whether there may be more
 */
export async function followBySms({
  db,
  log,
  sender,
  keepsBodies,
}: {
  db: Database;
  log: Logger;
  sender: MessageSender;
  keepsBodies: boolean;
}): Promise<boolean> {
  const ended = await query<{ id: string; template: MessageTemplate; isLate: boolean }>(
    db,
    `WITH due AS (
       SELECT * FROM messages WHERE sms_at <= now() AND status <> 'sending'
        ORDER BY sms_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), ended AS (
       UPDATE messages
          SET status = CASE due.status WHEN 'pending' THEN 'expired' ELSE due.status END,
              status_reason = CASE due.status WHEN 'pending' THEN 'SMS_FOLLOWS' ELSE due.status_reason END,
              sms_at = NULL, sealed = CASE WHEN $2 THEN NULL ELSE due.sealed END,
              -- No event says that it failed: the SMS may still arrive, and has its own event if it fails.
              failure_announced = true, updated_at = now()
         FROM due WHERE messages.id = due.id
     ), unknown_to_whatsapp AS (
       INSERT INTO numbers_without_whatsapp (phone_index)
       SELECT DISTINCT phone_index FROM due WHERE status = 'failed' AND status_reason = ANY ($3)
        ORDER BY phone_index
       ON CONFLICT (phone_index) DO UPDATE SET found_at = now()
     ), sms AS (
       INSERT INTO messages (id, template, wholesaler_id, subject_id, verification_id, request_id, traceparent,
                             phone_index, phone_masked, sealed, expires_at, follows)
       SELECT uuidv7(), template, wholesaler_id, subject_id, verification_id, request_id, traceparent,
              phone_index, phone_masked, sealed, expires_at, id
         FROM due WHERE expires_at > now() AND sealed IS NOT NULL
       ON CONFLICT (follows) WHERE follows IS NOT NULL DO NOTHING
     )
     SELECT id, template, status <> 'failed' AS "isLate" FROM due`,
    [BATCH_SIZE, !keepsBodies, WITHOUT_WHATSAPP],
  );
  for (const { id, template, isLate } of ended) {
    const outcome = isLate ? 'followed-late' : 'followed-failed';
    countSms({ template, channel: 'whatsapp', outcome });
    log.info({ messageId: id, outcome }, 'an SMS follows a WhatsApp message');
  }
  if (ended.length > 0) sender.wake();
  return ended.length === BATCH_SIZE;
}
