import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { storeAnswer, type StoreAnswer } from '@fiado/chassis/idempotency';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { newCodeSalt } from '@fiado/chassis/verification/code';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { limitOfADay } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { EXAMPLE_PHONE } from '../examples';
import { countPhoneChange } from '../metrics';
import { PhoneBody, phoneOf } from '../request-fields';
import { givePhone, refuseTakenPhone, takenPhoneError } from './give-phone';
import { MAX_PHONE_CHANGES_PER_DAY, phoneHoldUntil } from './phone-limits.rules';
import { ownerOfPhone } from './unknown-numbers';
import { type LockedUser, lockUser } from './verifications.sql';
import { PhoneChangeRow } from './phone-change.entity';
import { VerificationRow } from './verification.entity';
import type { WholesalerRow } from '../wholesalers/wholesaler.entity';

/**
 * Changes of a wholesaler in 24 hours that may be refused because another user has the number. Each
 * tells the wholesaler that somebody has it, so a list of phones could be asked for one by one.
 */
const MAX_TAKEN_PER_DAY = 20;

export const changePhoneEndpoint = endpoint({
  id: 'changePhoneNumber',
  as: 'accounts.changePhoneNumber',
  ignoresUnknown: true,
  tag: 'Accounts',
  route: 'PUT /v1/account/:userId',
  scope: 'accounts:write',
  names: { userId: 'user' },
  summary: 'Change the phone number of an account',
  description:
    'Call it after the user has proved that the number is theirs. It takes effect at once. The codes and ' +
    'delivery words that you sent to the user become invalid: send them again. Where ' +
    'other wholesalers sell to the user too, your orders for it beyond 5,000 pesos together and your ' +
    'batch items may answer `USER_IS_IN_INTERNAL_VALIDATION` for 24 hours, and codes and words of larger ' +
    'orders are not sent again meanwhile (`TOO_MANY_ATTEMPTS`). The fourth change of a user in a ' +
    'day answers `TOO_MANY_ATTEMPTS`, and so does every change for 24 hours after twenty to numbers of ' +
    'other users. A number that the user confirmed with its code (`confirmVerification`) is always taken.',
  body: PhoneBody,
  bodyExample: { phoneNumber: EXAMPLE_PHONE },
  errors: ['USER_NOT_FOUND', 'PHONE_NUMBER_ALREADY_EXISTS', 'TOO_MANY_ATTEMPTS'],
  idempotent: true,
  // The phone is sealed in its column, so it is sealed in a stored answer too.
  answerSealer: ({ sealer }: Context) => sealer,
  answer: t.object('ChangedPhone', { userId: fields.userId, phoneNumber: fields.phoneNumber }),
  input: ({ body, id, caller: by }, context: Context) => ({
    by,
    phone: phoneOf(context, body.phoneNumber),
    userId: id('userId', 'USER_NOT_FOUND'),
  }),
  handle: changePhone,
  present: ({ userId, phone }) => ({ userId, phoneNumber: phone }),
});

interface ChangePhone {
  by: Caller;
  userId: string;
  /** E.164. */
  phone: string;
}

interface ChangedPhone {
  userId: string;
  phone: string;
}

/**
 * Changes a user's phone at once: the wholesaler states that it was validated (changePhoneNumber).
 * Because nothing proves that, this wholesaler's pending codes of the user become invalid, and its
 * larger orders may be held for a day (ADR 2). Does nothing if the user already has the phone.
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
      if ((await ownerOfPhone(tx, phoneIndex)) !== 'nobody') {
        // Committed with this database transaction, and thrown after it.
        const taken = await countTakenPhone(tx, by.id);
        return taken > MAX_TAKEN_PER_DAY ? tooManyTaken() : takenPhoneError(tx, phoneIndex);
      }
      const change = await recordPhoneChange(tx, by.id, user, facts);
      await givePhone(context, tx, { by, user, phone, phoneIndex, isKnown: false });
      await storeAnswer(tx, answerOf(changed));
      return change;
    })
    .catch((error: unknown) => refuseTakenPhone(context, error, phoneIndex));
  if (recorded instanceof AppError) throw recorded;

  if (recorded !== undefined) {
    countPhoneChange(recorded.heldUntil !== undefined);
    if (recorded.heldUntil !== undefined)
      log.warn(recorded, 'large orders are held after a phone number change');
  }
  return changed;
}

/** Checks the limits first: a later refusal would reveal whether another user has the number. */
async function requireChangesLeft(
  tx: Transaction,
  wholesalerId: string,
  { cornerStoreId }: LockedUser,
): Promise<PhoneChangeFacts> {
  // Read it with the corner store locked, so that parallel changes cannot exceed the limit.
  const facts = await queryOne<PhoneChangeFacts>(
    tx,
    `SELECT now(), phone_change_hold AS setting,
            (SELECT count(*) FROM customers WHERE corner_store_id = $2) AS wholesalers,
            (SELECT count(*) FROM phone_changes
              WHERE corner_store_id = $2 AND wholesaler_id = $1
                AND changed_at > now() - interval '24 hours') AS "changesToday",
            (SELECT coalesce(sum(taken), 0)::integer FROM unknown_number_sends
              WHERE wholesaler_id = $1 AND hour > now() - interval '24 hours') AS "takenToday"
       FROM wholesalers WHERE id = $1`,
    [wholesalerId, cornerStoreId],
  );
  if (facts.changesToday >= MAX_PHONE_CHANGES_PER_DAY) {
    throw limitOfADay('The phone of this user was changed too often today');
  }
  if (facts.takenToday >= MAX_TAKEN_PER_DAY) throw tooManyTaken();
  return facts;
}

function tooManyTaken(): AppError {
  return limitOfADay('Too many numbers of other users today: confirm this one with a code');
}

/** Stores the change and invalidates the pending code, before the store is published. */
async function recordPhoneChange(
  tx: Transaction,
  wholesalerId: string,
  { cornerStoreId, userId }: LockedUser,
  facts: PhoneChangeFacts,
): Promise<{ wholesalerId: string; cornerStoreId: string; heldUntil: Date | undefined }> {
  const change = { wholesalerId, cornerStoreId, heldUntil: phoneHoldUntil(facts) };
  await tx.manager.insert(PhoneChangeRow, {
    id: newId(),
    ...change,
    heldUntil: change.heldUntil ?? null,
  });
  // Ends the code that a wholesaler's verification of a user waits for, if there is one: a
  // resend makes a new one. With the store locked.
  await tx.manager.update(
    VerificationRow,
    { userId, wholesalerId, status: 'pending' },
    { codeSalt: newCodeSalt(), expiresAt: () => 'now()' },
  );
  return change;
}

/** The facts that decide a change of phone. */
interface PhoneChangeFacts {
  now: Date;
  setting: WholesalerRow['phoneChangeHold'];
  /** Wholesalers that have the store as a customer. */
  wholesalers: number;
  /** Changes by this wholesaler for this store in the last 24 hours. */
  changesToday: number;
  /** Changes by this wholesaler that other users' numbers had refused in the last 24 hours. */
  takenToday: number;
}

/**
 * Counts a change of phone that is refused because another user has the number.
 * @returns how many there were in the last 24 hours, this one included; parallel calls get different counts
 */
async function countTakenPhone(db: Db, wholesalerId: string): Promise<number> {
  await query(
    db,
    `WITH forgotten AS (
       DELETE FROM unknown_number_sends
        WHERE wholesaler_id = $1 AND hour < now() - interval '25 hours'
     )
     INSERT INTO unknown_number_sends AS sends (wholesaler_id, hour, taken)
     VALUES ($1, date_trunc('hour', now()), 1)
     ON CONFLICT (wholesaler_id, hour) DO UPDATE SET taken = sends.taken + 1`,
    [wholesalerId],
  );
  // A separate statement, because its snapshot must be taken with the hour's row locked.
  const { taken } = await queryOne<{ taken: number }>(
    db,
    `SELECT sum(taken)::integer AS taken FROM unknown_number_sends
      WHERE wholesaler_id = $1 AND hour > now() - interval '24 hours'`,
    [wholesalerId],
  );
  return taken;
}
