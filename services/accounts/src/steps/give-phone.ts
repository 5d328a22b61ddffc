import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import type { Caller } from '@fiado/shared/contracts/caller';
import { smsRows } from '@fiado/shared/chassis/outbox/sms-rows';
import { maskPhone } from '@fiado/shared/phone';
import type { EntityManager } from 'typeorm';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { raiseVersion, type LockedUser } from '../db/corner-stores.repository';
import { User } from '../db/user.entity';
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
  { sealer, clock, config }: Context,
  tx: EntityManager,
  { by, user, phone, phoneIndex }: GivePhone,
): Promise<void> {
  const { userId, cornerStoreId } = user;
  const before = await tx.findOneByOrFail(User, { id: userId });
  if (before.phoneIndex.equals(phoneIndex)) return;

  const sealed = sealer.seal(phone, PURPOSE.phone, cornerStoreId);
  await tx.update(User, userId, { phone: sealed, phoneIndex, updatedAt: () => 'now()' });
  await raiseVersion(tx, cornerStoreId);
  await appendToOutbox(tx, [
    ...(await cornerStoreEvents(tx, [cornerStoreId])),
    ...smsRows(sealer, {
      template: 'phone-changed',
      phone: sealer.open(before.phone, PURPOSE.phone, cornerStoreId),
      values: {
        phoneMasked: maskPhone(phone),
        ...(config.SUPPORT_PHONE === undefined ? {} : { supportPhone: config.SUPPORT_PHONE }),
      },
      wholesalerId: by.id,
      subjectId: userId,
      expiresAt: new Date(clock.now().getTime() + WARNING_LIFE_MS),
    }),
  ]);
  await recordAudit(tx, { by, action: 'user.phone-changed', objectId: userId });
}
