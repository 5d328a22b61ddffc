import type { Transaction } from '@fiado/chassis/db/database';
import { PERSON, type Person, personParameters } from '@fiado/chassis/db/personal-data';
import { query } from '@fiado/chassis/db/query';
import { erasePart, type ErasurePart, personOf } from '@fiado/chassis/privacy/erase-part';
import { AppError } from '@fiado/contracts/errors';
import type { PersonErase } from '@fiado/contracts/jobs/privacy';
import type { Context } from '../context';
import { MESSAGE_IS_SENDING, MESSAGES_OF_PERSON, PERSONAL_DATA } from '../db/personal-data';
import { keepProviderCopies } from './delete-provider-copies';
import { BLOCKED } from './messages.sql';
import { LOCK_RESEND } from './resend-messages';

/**
 * Does the notifier's part of an erasure, once. A block ends the messages that could be sent, or sent
 * again. The provider's copies are deleted later, by a loop.
 * @throws AppError SERVICE_UNAVAILABLE while a message is being sent whose row is to be deleted. The queue
 *   tries again for longer than a claim lasts, and no message is claimed again meanwhile.
 */
export async function eraseMessages(
  context: Context,
  messageId: string,
  job: PersonErase,
): Promise<void> {
  if (job.phase === 'suppress') {
    // Committed, so that a message whose call fails meanwhile is not tried again.
    await context.db.transaction((tx) => endOpenMessages(tx, personOf(job)));
  }
  await erasePart(context, messageId, job, {
    ...ERASURE_PART,
    before: async (tx, person, phase) => {
      // First: a call that has just ended must have its id among the copies.
      if (phase === 'suppress') await requireNoneSending(tx, person);
      await ERASURE_PART.before(tx, person, phase);
    },
  });
}

/** The part of the notifier in the erasure of a person. */
export const ERASURE_PART = {
  service: 'notifier',
  data: PERSONAL_DATA,
  before: async (tx, person, phase) => {
    if (phase === 'block') await endOpenMessages(tx, person);
    await keepProviderCopies(tx, person);
  },
} as const satisfies ErasurePart;

/**
 * The provider's id of a message comes with the answer to its call, and is needed to delete the copy there.
 * Locks what waits, so that no process begins to send it before its row is deleted.
 */
async function requireNoneSending(tx: Transaction, person: Person): Promise<void> {
  const open = await query<{ isSending: boolean }>(
    tx,
    `SELECT ${MESSAGE_IS_SENDING} AS "isSending" FROM messages own CROSS JOIN ${PERSON}
      WHERE (${MESSAGES_OF_PERSON}) AND own.status IN ('pending', 'sending')
        FOR UPDATE OF own`,
    personParameters(person),
  );
  if (open.some(({ isSending }) => isSending)) {
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: 'A message to the person is being sent: the erasure is tried again',
    });
  }
}

/**
 * Wipes what could be sent, or sent again. A message that is being sent or whose outcome is unknown keeps its
 * status: the provider may still report it, and has a copy to delete.
 */
async function endOpenMessages(tx: Transaction, person: Person): Promise<void> {
  // A resend that has read the phone of an unknown message commits its new one before, so that it ends too.
  await query(tx, LOCK_RESEND);
  await query(
    tx,
    `UPDATE messages own
        SET status = CASE own.status WHEN 'pending' THEN 'expired' ELSE own.status END,
            status_reason = CASE own.status WHEN 'pending' THEN '${BLOCKED}' ELSE status_reason END,
            sealed = NULL, sms_at = NULL, updated_at = now()
       FROM ${PERSON}
      WHERE (${MESSAGES_OF_PERSON})
        AND (own.status IN ('pending', 'sending', 'unknown') OR own.sms_at IS NOT NULL)
        AND own.sealed IS NOT NULL`,
    personParameters(person),
  );
}
