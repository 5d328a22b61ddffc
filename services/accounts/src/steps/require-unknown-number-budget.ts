import type { Transaction } from '@fiado/chassis/db/database';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import {
  countUnknownNumberSend,
  isCustomersPhone,
  lockUnknownNumberUse,
} from '../db/unknown-numbers.repository';
import { judgeUnknownNumber } from '../domain/unknown-numbers';
import { countSmsToUnknown } from '../metrics';

/**
 * Counts a code that is about to be sent, when its phone is no customer's. Called in the database
 * transaction that sends it. Customers' phones are never limited here.
 * @throws AppError TOO_MANY_ATTEMPTS when the wholesaler is over its limit for such numbers, or too
 *   few of them confirm their code
 */
export async function requireUnknownNumberBudget(
  { config, log }: Context,
  tx: Transaction,
  { wholesalerId, phoneIndex }: { wholesalerId: string; phoneIndex: Buffer },
): Promise<void> {
  if (await isCustomersPhone(tx, phoneIndex)) return;
  const use = await lockUnknownNumberUse(tx, wholesalerId);
  const perDay = use.perDay ?? config.SMS_TO_UNKNOWN_PER_DAY;
  const verdict = judgeUnknownNumber(use, perDay);
  countSmsToUnknown(verdict);
  if (verdict !== 'sent') {
    const { sent, confirmed } = use;
    log.warn(
      { wholesalerId, reason: verdict, sent, confirmed, perDay },
      'SMS to an unknown number refused',
    );
    throw new AppError('TOO_MANY_ATTEMPTS', {
      message: 'Too many codes were sent to phone numbers that no customer has',
    });
  }
  await countUnknownNumberSend(tx, wholesalerId);
}
