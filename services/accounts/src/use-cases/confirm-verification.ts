import { storeAnswer, type Keep } from '@fiado/shared/chassis/http/idempotency';
import type { Caller } from '@fiado/shared/chassis/internal-token';
import { AppError } from '@fiado/shared/contracts/errors';
import { approve, checkCode } from '@fiado/shared/verification/verifications';
import type { Context } from '../context';
import {
  findVerification,
  lockVerification,
  type LockedVerification,
} from '../db/verifications.repository';
import { givePhone } from './give-phone';
import { refuseTakenPhone } from './refuse-taken-phone';

export interface ConfirmVerification {
  by: Caller;
  userId: string;
  verificationId: string;
  code: string;
  keep: Keep<{ verificationId: string }>;
}

/**
 * Checks a verification's code; the phone that got it becomes the user's.
 * @throws AppError USER_NOT_FOUND, VERIFICATION_NOT_FOUND, VERIFICATION_NOT_VALID,
 *   PHONE_NUMBER_ALREADY_EXISTS when the phone is another user's by now
 */
export async function confirmVerification(
  context: Context,
  { by, userId, verificationId, code, keep }: ConfirmVerification,
): Promise<{ verificationId: string }> {
  const { db, config } = context;
  const found = await findVerification(db, by.id, { userId, verificationId });
  if (!found.userKnown) throw new AppError('USER_NOT_FOUND');
  if (!found.verificationKnown) throw new AppError('VERIFICATION_NOT_FOUND');

  // Counted and committed before anything else, so that parallel guesses share the checks.
  const salt = await checkCode(db, config.CODE_PEPPER, verificationId, code);

  let verification: LockedVerification | undefined;
  try {
    await db.transaction(async (tx) => {
      verification = await lockVerification(tx, by.id, { userId, verificationId });
      if (verification === undefined) throw new AppError('VERIFICATION_NOT_FOUND');
      await approve(tx, verificationId, salt);
      await givePhone(context, tx, {
        by,
        user: verification,
        phone: verification.phone,
        phoneIndex: verification.phoneIndex,
      });
      await storeAnswer(tx, keep({ verificationId }));
    });
  } catch (error) {
    if (verification === undefined) throw error;
    await refuseTakenPhone(context, error, verification.phoneIndex);
  }
  context.relay.wake();
  return { verificationId };
}
