import { storeAnswer, type Keep } from '@fiado/shared/chassis/http/idempotency';
import type { Caller } from '@fiado/shared/chassis/internal-token';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { lockUser } from '../db/corner-stores.repository';
import { PURPOSE } from '../domain/sealing-purposes';
import { givePhone } from './give-phone';
import { refuseTakenPhone } from './refuse-taken-phone';

export interface ChangePhone {
  by: Caller;
  userId: string;
  /** E.164. */
  phone: string;
  keep: Keep<ChangedPhone>;
}

export interface ChangedPhone {
  userId: string;
  phone: string;
}

/**
 * Gives a user another phone at once: the wholesaler vouches that it was validated (spec e3).
 * @throws AppError USER_NOT_FOUND, PHONE_NUMBER_ALREADY_EXISTS
 */
export async function changePhone(
  context: Context,
  { by, userId, phone, keep }: ChangePhone,
): Promise<ChangedPhone> {
  const { db, sealer } = context;
  const phoneIndex = sealer.blindIndex(phone, PURPOSE.phone);
  const changed = { userId, phone };

  await db
    .transaction(async (tx) => {
      const user = await lockUser(tx, by.id, userId);
      if (user === undefined) throw new AppError('USER_NOT_FOUND');
      const sealedPhone = sealer.seal(phone, PURPOSE.phone);
      await givePhone(context, tx, { by, user, phone: sealedPhone, phoneIndex });
      await storeAnswer(tx, keep(changed));
    })
    .catch((error: unknown) => refuseTakenPhone(context, error, phoneIndex));
  context.relay.wake();
  return changed;
}
