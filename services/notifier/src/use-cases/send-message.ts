import type { Context } from '../context';
import { claimMessages } from './claim-messages';
import { transmitMessage } from './transmit-message';

/**
 * Sends one message if it is due; else leaves it to the message sender's rounds. Claims wait for
 * each other in the whole house, so those that this process asks for while one runs are one claim.
 */
export async function sendMessage(context: Context, messageId: string): Promise<void> {
  // The provider does not answer: the rounds find out when it does again.
  if (!context.smsBreaker.isClosed) return;
  const { asked, claimed, rounds } = context.claims;
  asked.add(messageId);
  await rounds.run('claim', async () => {
    const messageIds = [...asked];
    asked.clear();
    const startedMs = context.monotonicMs();
    const round = await claimMessages(context, { messageIds, limit: messageIds.length });
    for (const message of round.claimed) claimed.set(message.id, { message, startedMs });
  });

  const mine = claimed.get(messageId);
  if (mine === undefined) return;
  // Taken out before anything is awaited: a twin of this job finds nothing to send.
  claimed.delete(messageId);
  await transmitMessage(context, mine.message, mine.startedMs);
}
