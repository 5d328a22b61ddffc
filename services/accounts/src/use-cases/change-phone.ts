import type { Transaction } from '@fiado/chassis/db/database';
import { storeAnswer, type StoreAnswer } from '@fiado/chassis/idempotency';
import { query } from '@fiado/chassis/db/query';
import { insertRow } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { lockUser, type LockedUser } from '../db/corner-stores.repository';
import { isCustomersPhone } from '../db/unknown-numbers.repository';
import { countTakenPhone } from '../db/taken-phones.repository';
import { findPhoneChangeFacts, type PhoneChangeFacts } from '../db/phone-changes.repository';
import { voidPendingCode } from '../db/verifications.repository';
import { MAX_PHONE_CHANGES_PER_DAY, phoneHoldUntil } from '../domain/phone-hold';
import { PURPOSE } from '../domain/sealing-purposes';
import { countPhoneChange } from '../metrics';
import { givePhone } from '../steps/give-phone';
import { refuseTakenPhone, takenPhoneError } from '../steps/refuse-taken-phone';

/**
 * Changes of a wholesaler in 24 hours that may be refused because another user has the number. Each
 * tells the wholesaler that somebody has it, so a list of phones could be asked for one by one.
 */
const MAX_TAKEN_PER_DAY = 20;

export interface ChangePhone {
  by: Caller;
  userId: string;
  /** E.164. */
  phone: string;
}

export interface ChangedPhone {
  userId: string;
  phone: string;
}

/**
 * Changes a user's phone at once: the wholesaler states that it was validated (changePhoneNumber).
 * Because nothing proves that, this wholesaler's pending codes of the user become invalid, and its
 * larger orders may be held for a day (ADR 0020). Does nothing if the user already has the phone.
 * @throws AppError USER_NOT_FOUND, TOO_MANY_ATTEMPTS after three changes in a day by this
 * wholesaler, or after twenty of its changes to numbers of other users, PHONE_NUMBER_ALREADY_EXISTS
 */
export async function changePhone(
  context: Context,
  { by, userId, phone }: ChangePhone,
  answerOf: StoreAnswer<ChangedPhone>,
): Promise<ChangedPhone> {
  const { db, sealer, log } = context;
  const phoneIndex = sealer.blindIndex(phone, PURPOSE.phone);
  const changed = { userId, phone };

  const recorded = await db
    .transaction(async (tx) => {
      const user = await lockUser(tx, by.id, userId);
      if (user === undefined) throw new AppError('USER_NOT_FOUND');
      const [same] = await query(tx, 'SELECT FROM users WHERE id = $1 AND phone_index = $2', [
        userId,
        phoneIndex,
      ]);
      if (same !== undefined) {
        await storeAnswer(tx, answerOf(changed));
        return undefined;
      }
      const facts = await requireChangesLeft(tx, by.id, user);
      if (await isCustomersPhone(tx, phoneIndex)) {
        // Committed with this database transaction, and thrown after it.
        const taken = await countTakenPhone(tx, by.id);
        return taken > MAX_TAKEN_PER_DAY ? tooManyTaken() : takenPhoneError(tx, phoneIndex);
      }
      const change = await recordPhoneChange(tx, by.id, user, facts);
      await givePhone(context, tx, { by, user, phone, phoneIndex });
      await storeAnswer(tx, answerOf(changed));
      return change;
    })
    .catch((error: unknown) => refuseTakenPhone(context, error, phoneIndex));
  if (recorded instanceof AppError) throw recorded;
  context.relay.wake();

  if (recorded !== undefined) {
    countPhoneChange(recorded.heldUntil !== undefined);
    if (recorded.heldUntil !== undefined)
      log.warn(recorded, 'large orders are held after a phone number change');
  }
  return changed;
}

/** Decides before anything is looked up that a refusal would tell of. */
async function requireChangesLeft(
  tx: Transaction,
  wholesalerId: string,
  { cornerStoreId }: LockedUser,
): Promise<PhoneChangeFacts> {
  const facts = await findPhoneChangeFacts(tx, wholesalerId, cornerStoreId);
  if (facts.changesToday >= MAX_PHONE_CHANGES_PER_DAY) {
    throw new AppError('TOO_MANY_ATTEMPTS', {
      message: 'The phone of this user was changed too often today',
    });
  }
  if (facts.takenToday >= MAX_TAKEN_PER_DAY) throw tooManyTaken();
  return facts;
}

function tooManyTaken(): AppError {
  return new AppError('TOO_MANY_ATTEMPTS', {
    message: 'Too many numbers of other users today: confirm this one with a code',
  });
}

/** Stores the change and invalidates the pending code, before the store is published. */
async function recordPhoneChange(
  tx: Transaction,
  wholesalerId: string,
  { cornerStoreId, userId }: LockedUser,
  facts: PhoneChangeFacts,
): Promise<{ wholesalerId: string; cornerStoreId: string; heldUntil: Date | undefined }> {
  const change = { wholesalerId, cornerStoreId, heldUntil: phoneHoldUntil(facts) };
  await insertRow(tx, 'phone_changes', { id: newId(), ...change });
  await voidPendingCode(tx, wholesalerId, userId);
  return change;
}
