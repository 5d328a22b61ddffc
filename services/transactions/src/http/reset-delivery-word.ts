import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import { sendJson } from '@fiado/shared/chassis/http/send-json';
import type { Context } from '../context';
import { resetDeliveryWord } from '../use-cases/reset-delivery-word';
import { presentTransaction } from './present-transaction';

/** POST /admin/transactions/{transactionId}/reset-delivery-word. */
export function handleResetDeliveryWord(context: Context): RequestHandler {
  return async (req, res) => {
    const transaction = await resetDeliveryWord(context, {
      by: callerOf(req),
      transactionId: idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND'),
    });
    sendJson(res, presentTransaction(transaction));
  };
}
