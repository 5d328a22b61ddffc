import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, timeOf } from '@fiado/chassis/db/query';
import { newCodeSalt } from '@fiado/chassis/verification/code';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { limitOfADay } from '@fiado/contracts/verification-rules';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { givePhone, refuseTakenPhone } from '../verification/give-phone';
import { MAX_PHONE_CHANGES_PER_DAY, phoneHoldUntil } from '../verification/phone-limits.rules';
import type { Corrections, GrantedRequest } from './settle-request';
import { PhoneChangeRow } from '../verification/phone-change.entity';
import { CornerStoreRow } from '../corner-stores/corner-store.entity';
import { UserRow } from '../corner-stores/user.entity';
import { VerificationRow } from '../verification/verification.entity';
import type { WholesalerRow } from '../wholesalers/wholesaler.entity';

/**
 * Rectification: overwrites the old values and keeps them nowhere. A phone follows the rules of
 * changePhoneNumber, for every wholesaler of the store. The phone of a blocked person does not change,
 * because the change would be announced by SMS and to the other services.
 * @throws AppError CORNER_STORE_IS_BLOCKED for the phone of a blocked person, TOO_MANY_ATTEMPTS after three
 *   changes of the phone in a day. Fails on
 *   users_phone_index_key when the phone is another user's: see refuseTakenCorrection
 */
export async function correctPerson(
  context: Context,
  tx: Transaction,
  {
    by,
    person: { userId, cornerStoreId, blockedAt },
    corrections = {},
  }: Pick<GrantedRequest, 'person' | 'corrections'> & { by: Pick<Caller, 'kind' | 'id'> },
): Promise<'done'> {
  const { sealer } = context;
  const { firstName, lastNames, cornerStoreName, phone } = corrections;
  if (phone !== undefined && blockedAt !== null) throw new AppError('CORNER_STORE_IS_BLOCKED');
  await tx.manager.update(UserRow, userId, {
    ...(firstName && { firstName: sealer.seal(firstName, PURPOSE.firstName, userId) }),
    ...(lastNames && { lastNames: sealer.seal(lastNames, PURPOSE.lastNames, userId) }),
    updatedAt: await timeOf(tx),
  });
  if (cornerStoreName !== undefined) {
    await tx.manager.update(CornerStoreRow, cornerStoreId, {
      name: sealer.seal(cornerStoreName, PURPOSE.cornerStoreName, cornerStoreId),
    });
  }
  const { phone: _phone, ...names } = corrections;
  if (Object.keys(names).length > 0) {
    await recordAudit(tx, {
      by,
      action: 'user.names-changed',
      objectId: userId,
      details: { changed: Object.keys(names) },
    });
  }
  if (phone !== undefined) {
    const phoneIndex = sealer.blindIndex(phone, PURPOSE.phone);
    await holdLargeOrders(tx, { userId, cornerStoreId, phoneIndex });
    const user = { userId, cornerStoreId };
    await givePhone(context, tx, { by, user, phone, phoneIndex, isKnown: true });
  }
  return 'done';
}

/** Does for each wholesaler of the store what changePhone does for the wholesaler that calls it. */
async function holdLargeOrders(
  tx: Transaction,
  {
    userId,
    cornerStoreId,
    phoneIndex,
  }: { userId: string; cornerStoreId: string; phoneIndex: Buffer },
): Promise<void> {
  const { isSame, changesToday } = await queryOne<{ isSame: boolean; changesToday: number }>(
    tx,
    `SELECT (SELECT phone_index = $2 FROM users WHERE id = $3) AS "isSame",
            (SELECT count(DISTINCT changed_at) FROM phone_changes
              WHERE corner_store_id = $1 AND changed_at > now() - interval '24 hours') AS "changesToday"`,
    [cornerStoreId, phoneIndex, userId],
  );
  if (isSame) return;
  if (changesToday >= MAX_PHONE_CHANGES_PER_DAY) {
    throw limitOfADay('The phone of this user was changed too often today');
  }
  const customers = await query<{
    wholesalerId: WholesalerRow['id'];
    setting: WholesalerRow['phoneChangeHold'];
    now: Date;
  }>(
    tx,
    `SELECT w.id AS wholesaler_id, w.phone_change_hold AS setting, now()
       FROM customers c JOIN wholesalers w ON w.id = c.wholesaler_id WHERE c.corner_store_id = $1`,
    [cornerStoreId],
  );
  for (const { wholesalerId, setting, now } of customers) {
    const heldUntil = phoneHoldUntil({ setting, now, wholesalers: customers.length });
    await tx.manager.insert(PhoneChangeRow, {
      id: newId(),
      wholesalerId,
      cornerStoreId,
      heldUntil: heldUntil ?? null,
    });
  }
  await tx.manager.update(
    VerificationRow,
    { userId, status: 'pending' },
    { codeSalt: newCodeSalt(), expiresAt: () => 'now()' },
  );
}

/** Refuses a corrected phone that another user has, as changePhoneNumber does. Outside of the transaction. */
export async function refuseTakenCorrection(
  context: Context,
  error: unknown,
  corrections: Corrections | undefined,
): Promise<never> {
  if (corrections?.phone === undefined) throw error;
  const { phone } = corrections;
  return refuseTakenPhone(context, error, context.sealer.blindIndex(phone, PURPOSE.phone));
}
