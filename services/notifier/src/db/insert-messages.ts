import type { Db } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import type { SendMessage } from '@fiado/contracts/jobs/send-message';

/** A message of a job. */
export interface NewMessage {
  /** Id of the job. */
  id: string;
  /** The request from outside that caused it. */
  requestId: string | undefined;
  /** The span that stores it; undefined while traces are off. */
  traceparent: string | undefined;
  job: SendMessage;
}

/**
 * Stores messages, except those that already exist: this is the notifier's inbox. The first message
 * of a wholesaler also inserts the row that its claims lock. An existing row is only read: an insert
 * with ON CONFLICT would wait for the claim that is changing it.
 */
export async function insertMessages(db: Db, messages: NewMessage[]): Promise<void> {
  await queryNamed(db, 'insert-messages', INSERT, [
    JSON.stringify(messages.map(({ job, ...message }) => Object.assign({}, job, message))),
  ]);
}

// In the order of ids, so that two processes with the same jobs wait for each other in one order.
const INSERT = `
  WITH message AS MATERIALIZED (
    SELECT id, template, "wholesalerId" AS wholesaler_id, "subjectId" AS subject_id,
           "verificationId" AS verification_id, "requestId" AS request_id, traceparent,
           decode("phoneIndex", 'base64') AS phone_index, "phoneMasked" AS phone_masked,
           decode(sealed, 'base64') AS sealed, "expiresAt" AS expires_at
      FROM json_to_recordset($1::json) AS job
        (id uuid, template text, "wholesalerId" uuid, "subjectId" uuid, "verificationId" uuid,
         "requestId" text, traceparent text, "phoneIndex" text, "phoneMasked" text, sealed text,
         "expiresAt" timestamptz)
  ), new_wholesalers AS (
    INSERT INTO claims_of_minute (wholesaler_id, minute, claimed)
    SELECT DISTINCT wholesaler_id, now(), 0 FROM message
     WHERE wholesaler_id IS NOT NULL
       AND NOT EXISTS (SELECT FROM claims_of_minute
                        WHERE claims_of_minute.wholesaler_id = message.wholesaler_id)
     ORDER BY wholesaler_id
    ON CONFLICT DO NOTHING
  )
  INSERT INTO messages
    (id, template, wholesaler_id, subject_id, verification_id, request_id, traceparent,
     phone_index, phone_masked, sealed, expires_at)
  SELECT id, template, wholesaler_id, subject_id, verification_id, request_id, traceparent,
         phone_index, phone_masked, sealed, expires_at
    FROM message ORDER BY id
  ON CONFLICT (id) DO NOTHING`;
