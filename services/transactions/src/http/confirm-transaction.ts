import { IsString, MaxLength } from 'class-validator';
import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { confirmTransaction, type ConfirmedTransaction } from '../use-cases/confirm-transaction';

/** Body of e11: the spec carries the code in a field named errorCode. */
export class ConfirmTransactionBody {
  @IsString()
  @MaxLength(20)
  errorCode: string;
}

/** e11: PUT /transaction/{transactionId}/verification/{verificationId}. */
export function handleConfirmTransaction(context: Context): RequestHandler {
  return async (req, res) => {
    const { errorCode: code } = validBody(ConfirmTransactionBody, req);
    const command = {
      wholesalerId: callerOf(req).id,
      transactionId: idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND'),
      verificationId: idParam(req, 'verificationId', 'VERIFICATION_NOT_FOUND'),
      code,
    };
    await answerOnce(context.db, req, res, {
      status: 200,
      present: ({ verificationId, verificationStatus }: ConfirmedTransaction) => ({
        verificationId,
        verificationStatus,
      }),
      work: (keep) => confirmTransaction(context, command, keep),
    });
  };
}
