import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import { IsString, MaxLength, ValidateIf } from 'class-validator';
import type { Context } from '../context';
import { confirmVerification } from '../use-cases/confirm-verification';

/** A code has six digits; what is longer is none, and not worth comparing. */
const MAX_CODE = 100;

export class ConfirmVerificationBody {
  @ValidateIf(({ code, errorCode }: ConfirmVerificationBody) => code != null || errorCode == null)
  @IsString()
  @MaxLength(MAX_CODE)
  code?: string;

  /** What spec e11 calls the code; taken here too. */
  @ValidateIf(({ errorCode }: ConfirmVerificationBody) => errorCode != null)
  @IsString()
  @MaxLength(MAX_CODE)
  errorCode?: string;
}

/** PUT /v1/account/:userId/verification/:verificationId. */
export function handleConfirmVerification(context: Context): RequestHandler {
  return async (req, res) => {
    const body = validBody(ConfirmVerificationBody, req);
    const command = {
      by: callerOf(req),
      userId: idParam(req, 'userId', 'USER_NOT_FOUND'),
      verificationId: idParam(req, 'verificationId', 'VERIFICATION_NOT_FOUND'),
      code: body.code ?? body.errorCode ?? '',
    };
    await answerOnce<{ verificationId: string }>(context.db, req, res, {
      status: 200,
      present: ({ verificationId }) => ({ verificationId, verificationStatus: 'approved' }),
      work: (keep) => confirmVerification(context, { ...command, keep }),
    });
  };
}
