import type { Transaction } from '@fiado/chassis/db/database';
import { PERSON, type Person, personParameters } from '@fiado/chassis/db/personal-data';
import { query } from '@fiado/chassis/db/query';
import { erasePart, type ErasurePart } from '@fiado/chassis/privacy/erase-part';
import type { PersonErase } from '@fiado/contracts/jobs/privacy';
import type { Context } from '../context';
import { MESSAGES_OF_PERSON, PERSONAL_DATA } from '../db/personal-data';
import { keepProviderCopies } from './delete-provider-copies';

/** Why a message to a blocked person was not sent. */
const BLOCKED = 'BLOCKED';

/**
 * Does the notifier's part of an erasure, once. A block ends the messages that were not sent yet. The
 * provider's copies are deleted later, by a loop.
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

async function endOpenMessages(tx: Transaction, person: Person): Promise<void> {
  await query(
    tx,
    `UPDATE messages own
        SET status = 'expired', status_reason = '${BLOCKED}', sealed = NULL, updated_at = now()
       FROM ${PERSON}
      WHERE (${MESSAGES_OF_PERSON}) AND own.status = 'pending'`,
    personParameters(person),
  );
}
