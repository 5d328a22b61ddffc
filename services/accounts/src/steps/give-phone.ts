import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { updateVersionedRow } from '@fiado/chassis/db/rows';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { maskPhone } from '@fiado/contracts/phone';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import type { LockedUser } from '../db/corner-stores.repository';
import { PURPOSE } from '../domain/sealing-purposes';
import { cornerStoreEvents } from './announce-changes';

/** Life of the SMS to the old number: the warning is useful for a day. */
const WARNING_LIFE_MS = 24 * 3600 * 1000;

export interface GivePhone {
  by: Caller;
  user: Pick<LockedUser, 'userId' | 'cornerStoreId'>;
  /** E.164, with its index. */
  phone: string;
  phoneIndex: Buffer;
}

/**
 * Makes a phone a locked user's, warns the old number and publishes the change. Does nothing if it
 * is the user's already. Fails on users_phone_index_key when it is another user's.
 */
export async function givePhone(
  { sealer, clock }: Context,
  tx: Transaction,
  { by, user, phone, phoneIndex }: GivePhone,
): Promise<void> {
  const { userId, cornerStoreId } = user;
  const [before] = await query<{ phone: Buffer }>(
    tx,
    'SELECT phone FROM users WHERE id = $1 AND phone_index <> $2',
    [userId, phoneIndex],
  );
  if (before === undefined) return;

  const sealed = sealer.seal(phone, PURPOSE.phone, cornerStoreId);
  await query(
    tx,
    'UPDATE users SET phone = $2, phone_index = $3, updated_at = now() WHERE id = $1',
    [userId, sealed, phoneIndex],
  );
  await updateVersionedRow(tx, 'corner_stores', cornerStoreId, {});
  await appendToOutbox(tx, [
    ...(await cornerStoreEvents(tx, [cornerStoreId])),
    ...smsRows(sealer, {
      template: 'phone-changed',
      phone: sealer.open(before.phone, PURPOSE.phone, cornerStoreId),
      values: { phoneMasked: maskPhone(phone) },
      wholesalerId: by.id,
      subjectId: userId,
      expiresAt: new Date(clock.now().getTime() + WARNING_LIFE_MS),
    }),
  ]);
  await recordAudit(tx, { by, action: 'user.phone-changed', objectId: userId });
}
