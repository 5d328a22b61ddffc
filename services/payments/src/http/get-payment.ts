import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { getPayment } from '../use-cases/get-payment';
import { presentPayment } from './present-payment';

/** GET /transaction/{transactionId}/payment: how a delivered transaction is paid, and how far it is. */
export function handleGetPayment(context: Context): RequestHandler {
  return async (req, res) => {
    const transactionId = idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND');
    const { id: wholesalerId } = callerOf(req);

    const payment = await getPayment(context, { transactionId, wholesalerId });
    res.json(presentPayment(payment, context.clock.now()));
  };
}
