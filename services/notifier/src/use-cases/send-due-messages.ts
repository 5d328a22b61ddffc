import { guardRow } from '@fiado/shared/chassis/guard-row';
import type { Context } from '../context';
import { settleLapsed } from '../db/messages.repository';
import { countSms } from '../metrics';
import { claimMessages } from './claim-messages';
import { transmitMessage } from './transmit-message';

/** Name of the loop that sends messages. */
export const SENDER_LOOP = 'message sender';
/**
 * Messages of one round. All are sent at once: a claimed message that waited for a free place
 * would pass the time in which it may still be sent.
 */
const BATCH_SIZE = 20;

/**
 * One round of the message sender: ends what lapsed, then sends what is due.
 * @returns whether there may be more to send
 */
export async function sendDueMessages(context: Context): Promise<boolean> {
  for (const { id, template, status } of await settleLapsed(context.db, !context.keepsBodies)) {
    // A sender that was lost is an outcome of the network's kind.
    countSms({ template, outcome: status, ...(status === 'unknown' && { reason: 'SENDER_LOST' }) });
    context.log.warn({ messageId: id, status }, 'a message lapsed');
  }

  if (context.smsBreaker.isOpen) return false;
  // To see whether the provider is back one message is enough.
  const limit = context.smsBreaker.isClosed ? BATCH_SIZE : 1;
  const startedMs = context.monotonicMs();
  const { claimed, decided } = await claimMessages(context, { limit });
  const results = await Promise.allSettled(
    claimed.map((message) =>
      guardRow(SENDER_LOOP, { log: context.log, messageId: message.id }, () =>
        transmitMessage(context, message, startedMs),
      ),
    ),
  );
  // Every message got its chance; a lost database fails the round, and the claims lapse.
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return decided === BATCH_SIZE;
}
