import { queryNamed, type Db } from '@fiado/shared/chassis/db/query';
import type { Message } from './messages.repository';

export type NewMessage = Pick<
  Message,
  | 'id'
  | 'template'
  | 'wholesalerId'
  | 'subjectId'
  | 'verificationId'
  | 'requestId'
  | 'phoneIndex'
  | 'phoneMasked'
  | 'sealed'
  | 'expiresAt'
>;

/**
 * Stores a message unless it already exists: this is the notifier's inbox. The first message of a
 * wholesaler also inserts the row that its claims lock.
 */
export async function insertMessage(db: Db, message: NewMessage): Promise<void> {
  await queryNamed(
    db,
    'insert-message',
    `WITH wholesaler AS (
       INSERT INTO claims_of_minute (wholesaler_id, minute, claimed)
       SELECT $3::uuid, now(), 0 WHERE $3 IS NOT NULL
       ON CONFLICT DO NOTHING
     )
     INSERT INTO messages
       (id, template, wholesaler_id, subject_id, request_id, phone_index, phone_masked, sealed,
        expires_at, verification_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT DO NOTHING`,
    [
      message.id,
      message.template,
      message.wholesalerId,
      message.subjectId,
      message.requestId,
      message.phoneIndex,
      message.phoneMasked,
      message.sealed,
      message.expiresAt,
      message.verificationId,
    ],
  );
}
