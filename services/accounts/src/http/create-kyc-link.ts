import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { AppError } from '@fiado/shared/contracts/errors';
import { IsString, isUUID } from 'class-validator';
import type { Context } from '../context';
import { createKycLink } from '../use-cases/create-kyc-link';

export class CreateKycLinkBody {
  @IsString()
  userId: string;

  @IsString()
  verificationId: string;
}

/** POST /v1/link/kyc (spec e5). An id of the wrong form names nothing. */
export function handleCreateKycLink(context: Context): RequestHandler {
  return async (req, res) => {
    const { userId, verificationId } = validBody(CreateKycLinkBody, req);
    if (!isUUID(userId)) throw new AppError('USER_NOT_FOUND');
    if (!isUUID(verificationId)) throw new AppError('VERIFICATION_NOT_FOUND');
    const command = { wholesalerId: callerOf(req).id, userId, verificationId };
    await answerOnce<{ kycLink: string }>(context.db, req, res, {
      status: 201,
      present: ({ kycLink }) => ({ kycLink }),
      sealer: context.sealer,
      work: (keep) => createKycLink(context, { ...command, keep }),
    });
  };
}
