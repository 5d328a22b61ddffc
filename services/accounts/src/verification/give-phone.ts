import type { Db, Transaction } from '@fiado/chassis/db/database';
import { isUniqueViolation } from '@fiado/chassis/db/errors';
import { query } from '@fiado/chassis/db/query';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { maskPhone } from '@fiado/contracts/phone';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { cornerStoreEvents } from '../snapshots/snapshots.sql';
import { countConfirmed, ownerOfPhone } from './unknown-numbers';
import type { LockedUser } from './verifications.sql';
import { CornerStoreRow, RAISED } from '../corner-stores/corner-store.entity';
import { UserRow } from '../corner-stores/user.entity';

/** Life of the SMS to the old number: the warning is useful for a day. */
const WARNING_LIFE_MS = 24 * 3600 * 1000;

export interface GivePhone {
  by: Pick<Caller, 'kind' | 'id'>;
  user: Pick<LockedUser, 'userId' | 'cornerStoreId'>;
  /** E.164, with its index. */
  phone: string;
  phoneIndex: Buffer;
  /** Whether a code that was sent to it has come back, or the lender states it. */
  isKnown: boolean;
}

/**
 * Makes a phone a locked user's, warns the old number and publishes the change. Does nothing if it
 * is the user's already. Fails on users_phone_index_key when it is another user's.
 */
export async function givePhone(
  { sealer, clock }: Context,
  tx: Transaction,
  { by, user, phone, phoneIndex, isKnown }: GivePhone,
): Promise<void> {
  const { userId, cornerStoreId } = user;
  const [before] = await query<{
    phone: NonNullable<UserRow['phone']>;
    unprovenBy: UserRow['phoneUnprovenBy'];
  }>(
    tx,
    `SELECT phone, phone_unproven_by AS "unprovenBy" FROM users
      WHERE id = $1 AND phone_index <> $2`,
    [userId, phoneIndex],
  );
  if (before === undefined) {
    if (isKnown) await markProved(tx, phoneIndex);
    return;
  }

  const sealed = sealer.seal(phone, PURPOSE.phone, cornerStoreId);
  await tx.manager.update(UserRow, userId, {
    phone: sealed,
    phoneIndex,
    phoneGivenBy: by.kind === 'wholesaler' ? by.id : null,
    phoneUnprovenBy: isKnown ? null : by.id,
    // The owner agreed to it for the old number.
    whatsappAgreedAt: null,
    whatsappSource: null,
    updatedAt: () => 'now()',
  });
  await tx.manager.update(CornerStoreRow, cornerStoreId, RAISED);
  await appendToOutbox(tx, [
    ...(await cornerStoreEvents(tx, [cornerStoreId])),
    ...smsRows(sealer, {
      template: 'phone-changed',
      phone: sealer.open(before.phone, PURPOSE.phone, cornerStoreId),
      unprovenBy: before.unprovenBy,
      values: { phoneMasked: maskPhone(phone) },
      ...(by.kind === 'wholesaler' ? { wholesalerId: by.id } : {}),
      subjectId: userId,
      expiresAt: new Date(clock.now().getTime() + WARNING_LIFE_MS),
    }),
  ]);
  await recordAudit(tx, { by, action: 'user.phone-changed', objectId: userId });
}

/**
 * Notes that a code that was sent to a phone has come back, and publishes the store where that is new. The number of
 * a wholesaler that made it counts as confirmed in its budget of unknown numbers.
 */
export async function markProved(tx: Transaction, phoneIndex: Buffer): Promise<void> {
  // The store first: its version orders what others learn of it.
  const [proved] = await query<{
    cornerStoreId: CornerStoreRow['id'];
    unprovenBy: NonNullable<UserRow['phoneUnprovenBy']>;
  }>(
    tx,
    `SELECT s.id AS "cornerStoreId", u.phone_unproven_by AS "unprovenBy"
       FROM users u JOIN corner_stores s ON s.user_id = u.id
      WHERE u.phone_index = $1 AND u.phone_unproven_by IS NOT NULL
        FOR NO KEY UPDATE OF s`,
    [phoneIndex],
  );
  if (proved === undefined) return;
  const marked = await query(
    tx,
    `UPDATE users SET phone_unproven_by = NULL
      WHERE phone_index = $1 AND phone_unproven_by = $2 RETURNING id`,
    [phoneIndex, proved.unprovenBy],
  );
  // Another code proved it meanwhile, or the phone was changed.
  if (marked.length === 0) return;
  await countConfirmed(tx, proved.unprovenBy);
  await tx.manager.update(CornerStoreRow, proved.cornerStoreId, RAISED);
  await appendToOutbox(tx, await cornerStoreEvents(tx, [proved.cornerStoreId]));
}

/**
 * Turns the failure of a phone that another user has into the spec's refusal, which names that
 * user unless they are blocked (changePhoneNumber). To be called on what a database transaction threw, outside of it.
 */
export async function refuseTakenPhone(
  { db }: Context,
  error: unknown,
  phoneIndex: Buffer,
): Promise<never> {
  if (!isUniqueViolation(error, 'users_phone_index_key')) throw error;
  throw await takenPhoneError(db, phoneIndex, error);
}

/** The refusal of a number that another user has. It does not name a blocked person. */
export async function takenPhoneError(
  db: Db,
  phoneIndex: Buffer,
  cause?: unknown,
): Promise<AppError> {
  if ((await ownerOfPhone(db, phoneIndex)) === 'blocked') {
    return new AppError('PHONE_NUMBER_ALREADY_EXISTS', { cause });
  }
  const other = await db.manager.findOneBy(UserRow, { phoneIndex });
  return new AppError('PHONE_NUMBER_ALREADY_EXISTS', {
    message: `The phone number is already used by the user ${other?.id ?? 'that had it just now'}`,
    cause,
  });
}
