import type { Transaction } from '@fiado/chassis/db/database';
import { PERSON, type Person, personParameters } from '@fiado/chassis/db/personal-data';
import { query } from '@fiado/chassis/db/query';
import { erasePart, type ErasurePart } from '@fiado/chassis/privacy/erase-part';
import type { PersonErase } from '@fiado/contracts/jobs/privacy';
import type { Context } from '../context';
import { MESSAGES_OF_PERSON, PERSONAL_DATA } from '../db/personal-data';
import { keepProviderCopies } from './delete-provider-copies';
import { BLOCKED } from './messages.sql';
import { LOCK_RESEND } from './resend-messages';

/**
 * Does the notifier's part of an erasure, once. A block ends the messages that could be sent, or sent
 * again. The provider's copies are deleted later, by a loop.
 */
export function eraseMessages(
  context: Context,
  messageId: string,
  job: PersonErase,
): Promise<void> {
  return erasePart(context, messageId, job, ERASURE_PART);
}

/** What the notifier contributes to the erasure of a person. */
export const ERASURE_PART: ErasurePart = {
  service: 'notifier',
  data: PERSONAL_DATA,
  before: async (tx, person, phase) => {
    if (phase === 'block') await endOpenMessages(tx, person);
    await keepProviderCopies(tx, person);
  },
};

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
            sealed = NULL, updated_at = now()
       FROM ${PERSON}
      WHERE (${MESSAGES_OF_PERSON}) AND own.status IN ('pending', 'sending', 'unknown')
        AND own.sealed IS NOT NULL`,
    personParameters(person),
  );
}
