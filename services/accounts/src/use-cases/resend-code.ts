import { storeAnswer, type Keep } from '@fiado/shared/chassis/http/idempotency';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import { smsRows } from '@fiado/shared/contracts/jobs/send-message';
import { resend } from '@fiado/shared/verification/verifications';
import type { Context } from '../context';
import { lockVerification, moveVerification } from '../db/verifications.repository';
import { requireVerifiable } from '../domain/corner-store';
import { PURPOSE } from '../domain/sealing-purposes';

export interface ResendCode {
  wholesalerId: string;
  userId: string;
  verificationId: string;
  /** E.164; another one than before gets a code of its own. */
  phone: string;
  keep: Keep<{ verificationId: string }>;
}

/**
 * Sends a verification's code again (spec e2).
 * @throws AppError in this order: VERIFICATION_NOT_FOUND, USER_IS_VERIFIED,
 *   USER_IN_MANUAL_VALIDATION, VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS
 */
export async function resendCode(
  context: Context,
  { wholesalerId, userId, verificationId, phone, keep }: ResendCode,
): Promise<{ verificationId: string }> {
  const { sealer, config } = context;
  const phoneIndex = sealer.blindIndex(phone, PURPOSE.phone);

  await context.db.transaction(async (tx) => {
    const verification = await lockVerification(tx, wholesalerId, { userId, verificationId });
    if (verification === undefined) throw new AppError('VERIFICATION_NOT_FOUND');
    requireVerifiable(verification.cornerStoreStatus);

    const moved = !verification.phoneIndex.equals(phoneIndex);
    const { code, expiresAt } = await resend(tx, config.CODE_PEPPER, verificationId, {
      renew: moved,
    });
    if (moved) {
      await moveVerification(tx, verificationId, {
        phone: sealer.seal(phone, PURPOSE.phone),
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
        expiresAt,
      }),
    );
    await storeAnswer(tx, keep({ verificationId }));
  });
  context.relay.wake();
  return { verificationId };
}
