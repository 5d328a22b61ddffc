import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { updateRow } from '@fiado/chassis/db/rows';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { hasSmsBudget } from '@fiado/chassis/clients/notifier';
import { AppError } from '@fiado/contracts/errors';
import { smsRows } from '@fiado/chassis/outbox/sms-rows';
import { newCodeSaltFor } from '@fiado/chassis/verification/code';
import { CODE_LIFE_MS } from '@fiado/contracts/verification-rules';
import { resend } from '@fiado/chassis/verification/verifications';
import type { Context } from '../context';
import { lockVerification } from '../db/verifications.repository';
import { requireVerifiable } from '../domain/corner-store';
import { PURPOSE } from '../domain/sealing-purposes';
import { requireUnknownNumberBudget } from '../steps/require-unknown-number-budget';

export interface ResendCode {
  wholesalerId: string;
  userId: string;
  verificationId: string;
  /** E.164; a different phone gets a new code. */
  phone: string;
}

/**
 * Sends a verification's code again (resendAccountCode).
 * @throws AppError in this order: VERIFICATION_NOT_FOUND, USER_IS_VERIFIED,
 *   USER_IN_MANUAL_VALIDATION, VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS
 */
export async function resendCode(
  context: Context,
  { wholesalerId, userId, verificationId, phone }: ResendCode,
  answerOf: StoreAnswer<{ verificationId: string }>,
): Promise<{ verificationId: string }> {
  const { sealer, config } = context;
  const phoneIndex = sealer.blindIndex(phone, PURPOSE.phone);

  // Called outside the database transaction; its checks still come first.
  const hasBudget = await hasSmsBudget(context, {
    template: 'verification-code',
    phone,
    wholesalerId,
    lifeMs: CODE_LIFE_MS,
  });

  return answerInTransaction(context, answerOf, async (tx) => {
    const verification = await lockVerification(tx, wholesalerId, { userId, verificationId });
    if (verification === undefined) throw new AppError('VERIFICATION_NOT_FOUND');
    requireVerifiable(verification.cornerStoreStatus);

    const moved = !verification.phoneIndex.equals(phoneIndex);
    const { code, expiresAt } = await resend(tx, config.CODE_PEPPER, verificationId, {
      renew: moved,
      newSalt: newCodeSaltFor(config, phone),
    });
    if (!hasBudget) throw new AppError('TOO_MANY_ATTEMPTS');
    await requireUnknownNumberBudget(context, tx, { wholesalerId, phoneIndex });
    if (moved) {
      await updateRow(tx, 'verifications', verificationId, {
        phone: sealer.seal(phone, PURPOSE.phone, verificationId),
        phoneIndex,
      });
    }
    await appendToOutbox(
      tx,
      smsRows(sealer, {
        template: 'verification-code',
        phone,
        values: { code },
        wholesalerId,
        subjectId: userId,
        verificationId,
        expiresAt,
      }),
    );
    return { verificationId };
  });
}
