import type { Context } from '../context';
import { claimMessages as claimDueMessages, type ClaimedMessage } from '../db/claim-messages';
import { countSms } from '../metrics';

/**
 * Claims due messages for this process, within the budgets against SMS pumping: over a budget of
 * its phone a message fails, over its wholesaler's cap it waits for the next minute.
 * @returns the claimed messages, whether any message was decided, and whether more are due
 */
export async function claimMessages(
  {
    db,
    config,
    phoneBudgets,
    sms,
    keepsBodies,
    log,
  }: Pick<Context, 'db' | 'config' | 'phoneBudgets' | 'sms' | 'keepsBodies' | 'log'>,
  limit: number,
): Promise<{ claimed: ClaimedMessage[]; decided: boolean; more: boolean }> {
  const { claimed, refused, more } = await claimDueMessages(db, {
    provider: sms.name,
    limit,
    ...phoneBudgets,
    perWholesaler: config.SMS_PER_WHOLESALER_PER_MINUTE,
    wipe: !keepsBodies,
  });
  for (const { id, template, refusal } of refused) {
    countSms({ template, outcome: refusal });
    log.warn({ messageId: id, reason: refusal }, 'message exceeds a budget of its phone number');
  }
  // Logged once, after the wait; the gauges show the messages that wait now.
  for (const { id, template } of claimed.filter(({ waitedBehindCap }) => waitedBehindCap)) {
    countSms({ template, outcome: 'wholesaler-cap' });
    log.warn(
      { messageId: id, reason: 'wholesaler-cap' },
      "message waited for its wholesaler's limit",
    );
  }
  return { claimed, decided: claimed.length + refused.length > 0, more };
}
