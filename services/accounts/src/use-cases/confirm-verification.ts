import { storeAnswer, type StoreAnswer } from '@fiado/chassis/idempotency';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { countApiCheck } from '@fiado/chassis/verification/count-api-check';
import { approve, checkCode } from '@fiado/chassis/verification/verifications';
import type { Context } from '../context';
import {
  findVerification,
  lockVerification,
  type LockedVerification,
} from '../db/verifications.repository';
import { countUnknownNumberConfirmed, isCustomersPhone } from '../db/unknown-numbers.repository';
import { countSmsToUnknown } from '../metrics';
import { PURPOSE } from '../domain/sealing-purposes';
import { givePhone } from '../steps/give-phone';
import { refuseTakenPhone } from '../steps/refuse-taken-phone';

export interface ConfirmVerification {
  by: Caller;
  userId: string;
  verificationId: string;
  code: string;
}

/**
 * Checks a verification's code. The phone that received it becomes the user's phone.
 * @throws AppError USER_NOT_FOUND, VERIFICATION_NOT_FOUND, VERIFICATION_NOT_VALID,
 * TOO_MANY_ATTEMPTS after too many wrong codes, PHONE_NUMBER_ALREADY_EXISTS when the phone is
 * another user's by now
 */
export async function confirmVerification(
  context: Context,
  { by, userId, verificationId, code }: ConfirmVerification,
  answerOf: StoreAnswer<{ verificationId: string }>,
): Promise<{ verificationId: string }> {
  const { db, config, sealer } = context;
  const found = await findVerification(db, by.id, { userId, verificationId });
  if (found === undefined) throw new AppError('USER_NOT_FOUND');
  if (!found.verificationKnown) throw new AppError('VERIFICATION_NOT_FOUND');

  // Counted and committed before anything else, so that parallel guesses share the checks.
  const salt = await checkCode(
    db,
    config,
    { wholesalerId: by.id, verificationId, code },
    countApiCheck(db, found.cornerStoreId),
  );

  let verification: LockedVerification | undefined;
  try {
    await db.transaction(async (tx) => {
      verification = await lockVerification(tx, by.id, { userId, verificationId });
      if (verification === undefined) throw new AppError('VERIFICATION_NOT_FOUND');
      await approve(tx, verificationId, salt);
      if (!(await isCustomersPhone(tx, verification.phoneIndex))) {
        await countUnknownNumberConfirmed(tx, by.id);
        countSmsToUnknown('confirmed');
      }
      await givePhone(context, tx, {
        by,
        user: verification,
        phone: sealer.open(verification.phone, PURPOSE.phone, verificationId),
        phoneIndex: verification.phoneIndex,
      });
      await storeAnswer(tx, answerOf({ verificationId }));
    });
  } catch (error) {
    if (verification === undefined) throw error;
    await refuseTakenPhone(context, error, verification.phoneIndex);
  }
  context.relay.wake();
  return { verificationId };
}
