import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { resendCode, type ResentCode } from '../use-cases/resend-code';

/** e12: POST /transaction/{transactionId}/verification/{verificationId}. */
export function handleResendCode(context: Context): RequestHandler {
  return async (req, res) => {
    const ids = {
      wholesalerId: callerOf(req).id,
      transactionId: idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND'),
      verificationId: idParam(req, 'verificationId', 'VERIFICATION_NOT_FOUND'),
    };
    await answerOnce(context.db, req, res, {
      status: 200,
      present: ({ userPhoneNumber }: ResentCode) => ({
        message: `The verification code was sent to ${userPhoneNumber}`,
      }),
      work: (keep) => resendCode(context, ids, keep),
    });
  };
}
