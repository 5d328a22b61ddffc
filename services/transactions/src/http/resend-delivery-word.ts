import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { resendDeliveryWord } from '../use-cases/resend-delivery-word';

/** e13: POST /transaction/{transactionId}/delivery-word. */
export function handleResendDeliveryWord(context: Context): RequestHandler {
  return async (req, res) => {
    const command = {
      wholesalerId: callerOf(req).id,
      transactionId: idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND'),
    };
    await answerOnce(context.db, req, res, {
      status: 200,
      // The spec's answer to success carries its text in a field named errorMessage.
      present: () => ({ errorMessage: 'The delivery word was sent' }),
      work: (keep) => resendDeliveryWord(context, command, keep),
    });
  };
}
