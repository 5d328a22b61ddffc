import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { unknownNumbersCall } from '@fiado/contracts/unknown-numbers';
import { limitOfADay } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { countSmsToUnknown } from '../metrics';
import { judgeUnknownNumber, type UnknownNumberUse } from './phone-limits.rules';
import { WholesalerRow } from '../wholesalers/wholesaler.entity';

/**
 * Counts a code that is about to be sent, when its phone is no customer's, or one that a wholesaler set and no code
 * has proved. Called in the database
 * transaction that sends it. Known phones of customers are never limited here. The phone of a blocked person
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
    throw limitOfADay('Too many codes were sent to phone numbers that no customer has');
  }
  await countSent(tx, wholesalerId, 1);
  return owner;
}

/** The notifier calls it with the SMS that wait to be sent to numbers that a wholesaler set and no code has proved. */
export const unknownNumbersEndpoint = internalEndpoint({
  call: unknownNumbersCall,
  allow: ['service:notifier'],
  handle: ({ db, config }: Context, { wholesalerId, wanted }) =>
    db.transaction(async (tx) => {
      const use = await lockUnknownNumberUse(tx, wholesalerId);
      const perDay = use.perDay ?? config.SMS_TO_UNKNOWN_PER_DAY;
      let allowed = 0;
      while (allowed < wanted) {
        const sent = use.sent + allowed;
        // All at the same moment: after the first, the time of the last one is now.
        const lastSentAt = allowed === 0 ? use.lastSentAt : use.now;
        if (judgeUnknownNumber({ ...use, sent, lastSentAt }, perDay) !== 'sent') break;
        allowed += 1;
        countSmsToUnknown('sent');
      }
      if (allowed > 0) await countSent(tx, wholesalerId, allowed);
      return { allowed };
    }),
});

/** Counts SMS to unknown numbers, and deletes the hours that no longer count. */
async function countSent(tx: Transaction, wholesalerId: string, sent: number): Promise<void> {
  await query(
    tx,
    `WITH forgotten AS (
       DELETE FROM unknown_number_sends
        WHERE wholesaler_id = $1 AND hour < now() - interval '25 hours'
     )
     INSERT INTO unknown_number_sends AS sends (wholesaler_id, hour, sent, last_sent_at)
     VALUES ($1, date_trunc('hour', now()), $2, now())
     ON CONFLICT (wholesaler_id, hour) DO UPDATE
       SET sent = sends.sent + excluded.sent, last_sent_at = excluded.last_sent_at`,
    [wholesalerId, sent],
  );
}

/** Counts an unknown number whose code came back. */
export async function countConfirmed(tx: Transaction, wholesalerId: string): Promise<void> {
  await query(
    tx,
    `INSERT INTO unknown_number_sends AS sends (wholesaler_id, hour, confirmed)
     VALUES ($1, date_trunc('hour', now()), 1)
     ON CONFLICT (wholesaler_id, hour) DO UPDATE SET confirmed = sends.confirmed + 1`,
    [wholesalerId],
  );
  countSmsToUnknown('confirmed');
}

/**
 * Who has a phone: a customer of any wholesaler, one whose number no code has proved since a wholesaler set it, or a
 * person whose data are blocked.
 */
export type PhoneOwner = 'customer' | 'unproven' | 'blocked' | 'nobody';

/** Finds out who has a phone now. */
export async function ownerOfPhone(db: Db, phoneIndex: Buffer): Promise<PhoneOwner> {
  const [owner] = await query<{ isBlocked: boolean; isUnproven: boolean }>(
    db,
    `SELECT EXISTS (SELECT FROM corner_stores
                     WHERE user_id = users.id AND blocked_at IS NOT NULL) AS "isBlocked",
            phone_unproven_by IS NOT NULL AS "isUnproven"
       FROM users WHERE phone_index = $1`,
    [phoneIndex],
  );
  if (owner === undefined) return 'nobody';
  if (owner.isBlocked) return 'blocked';
  return owner.isUnproven ? 'unproven' : 'customer';
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
  const { smsToUnknownPerDay: perDay } = await tx.manager.findOneOrFail(WholesalerRow, {
    where: { id: wholesalerId },
    lock: { mode: 'for_no_key_update' },
  });
  // A separate statement, because its snapshot must be taken after the lock.
  const use = await queryOne<UnknownNumberUse>(
    tx,
    `SELECT coalesce(sum(sent), 0)::integer AS sent, coalesce(sum(confirmed), 0)::integer AS confirmed,
            max(last_sent_at) AS "lastSentAt", now() AS now
       FROM unknown_number_sends
      WHERE wholesaler_id = $1 AND hour > now() - interval '24 hours'`,
    [wholesalerId],
  );
  return { ...use, perDay };
}
