import type { Context } from '../context';
import {
  claimMessages as claimDueMessages,
  lockClaims,
  type ClaimedMessage,
} from '../db/claim-messages';
import { countSms } from '../metrics';

/**
 * Claims due messages for this process, within the caps against SMS pumping: over the cap of its
 * phone a message fails, over the one of its wholesaler it waits for the next minute.
 * @returns the claimed messages, and how many were decided on
 */
export async function claimMessages(
  { db, config, sms, keepsBodies, log }: Context,
  { messageIds, limit }: { messageIds?: string[]; limit: number },
): Promise<{ claimed: ClaimedMessage[]; decided: number }> {
  const { claimed, capped } = await db.transaction(async (tx) => {
    // Two claims that counted at the same time would each take the last place below a cap.
    await lockClaims(tx);
    return claimDueMessages(tx, {
      provider: sms.name,
      ...(messageIds === undefined ? {} : { messageIds }),
      limit,
      perPhone: config.SMS_PER_PHONE_PER_DAY,
      perWholesaler: config.SMS_PER_WHOLESALER_PER_MINUTE,
      wipe: !keepsBodies,
    });
  });
  for (const { id, template, verdict } of capped) {
    countSms({ template, outcome: verdict });
    log.warn({ messageId: id, reason: verdict }, 'a message is over a cap');
  }
  return { claimed, decided: claimed.length + capped.length };
}
