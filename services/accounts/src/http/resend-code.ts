import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { useErrorShape } from '@fiado/shared/chassis/http/error-middleware';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { resendCode } from '../use-cases/resend-code';
import { PhoneBody } from './phone-body';
import { phoneOf } from './request-fields';

/** POST /v1/account/:userId/verification/:verificationId (spec e2, whose errors have keys of their own). */
export function handleResendCode(context: Context): RequestHandler {
  return async (req, res) => {
    useErrorShape(res, ({ code, message }) => ({ code, message }));
    const phone = phoneOf(context, validBody(PhoneBody, req).phoneNumber);
    const command = {
      wholesalerId: callerOf(req).id,
      userId: idParam(req, 'userId', 'VERIFICATION_NOT_FOUND'),
      verificationId: idParam(req, 'verificationId', 'VERIFICATION_NOT_FOUND'),
      phone,
    };
    await answerOnce<{ verificationId: string }>(context.db, req, res, {
      status: 200,
      present: ({ verificationId }) => ({ verificationId }),
      work: (keep) => resendCode(context, { ...command, keep }),
    });
  };
}
