import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { countSmsToUnknown } from '../metrics';
import { judgeUnknownNumber, type UnknownNumberUse } from './phone-limits.rules';

/**
 * Counts a code that is about to be sent, when its phone is no customer's. Called in the database
 * transaction that sends it. Customers' phones are never limited here. The phone of a blocked person
 * counts like one that nobody has, so that the answer does not show the difference.
 * @returns who has the phone: a code to that of a blocked person must not be sent
 * @throws AppError TOO_MANY_ATTEMPTS when the wholesaler is over its limit for such numbers, or too
 *   few of them confirm their code
 */
export async function requireUnknownNumberBudget(
  { config, log }: Context,
  tx: Transaction,
  { wholesalerId, phoneIndex }: { wholesalerId: string; phoneIndex: Buffer },
): Promise<PhoneOwner> {
  const owner = await ownerOfPhone(tx, phoneIndex);
  if (owner === 'customer') return owner;
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
  // Counts an SMS to an unknown number, and deletes the hours that no longer count.
  await query(
    tx,
    `WITH forgotten AS (
       DELETE FROM unknown_number_sends
        WHERE wholesaler_id = $1 AND hour < now() - interval '25 hours'
     )
     INSERT INTO unknown_number_sends AS sends (wholesaler_id, hour, sent, last_sent_at)
     VALUES ($1, date_trunc('hour', now()), 1, now())
     ON CONFLICT (wholesaler_id, hour) DO UPDATE
       SET sent = sends.sent + 1, last_sent_at = excluded.last_sent_at`,
    [wholesalerId],
  );
  return owner;
}

/** Who has a phone: a customer of any wholesaler, or a person whose data are blocked. */
export type PhoneOwner = 'customer' | 'blocked' | 'nobody';

/** Finds out who has a phone now. */
export async function ownerOfPhone(db: Db, phoneIndex: Buffer): Promise<PhoneOwner> {
  const [owner] = await query<{ isBlocked: boolean }>(
    db,
    `SELECT EXISTS (SELECT FROM corner_stores
                     WHERE user_id = users.id AND blocked_at IS NOT NULL) AS "isBlocked"
       FROM users WHERE phone_index = $1`,
    [phoneIndex],
  );
  if (owner === undefined) return 'nobody';
  return owner.isBlocked ? 'blocked' : 'customer';
}

/**
 * Reads how many SMS a wholesaler has sent to unknown numbers in the last 24 hours, and locks its
 * row, so that two concurrent sends cannot both use the last one.
 * @returns the counts and the limit that ops set for the wholesaler, or null
 */
async function lockUnknownNumberUse(
  tx: Db,
  wholesalerId: string,
): Promise<UnknownNumberUse & { perDay: number | null }> {
  const wholesaler = await queryOne<{ perDay: number | null }>(
    tx,
    `SELECT sms_to_unknown_per_day AS "perDay" FROM wholesalers WHERE id = $1 FOR NO KEY UPDATE`,
    [wholesalerId],
  );
  // A separate statement, because its snapshot must be taken after the lock.
  const use = await queryOne<UnknownNumberUse>(
    tx,
    `SELECT coalesce(sum(sent), 0)::integer AS sent, coalesce(sum(confirmed), 0)::integer AS confirmed,
            max(last_sent_at) AS "lastSentAt", now() AS now
       FROM unknown_number_sends
      WHERE wholesaler_id = $1 AND hour > now() - interval '24 hours'`,
    [wholesalerId],
  );
  return { ...use, ...wholesaler };
}
