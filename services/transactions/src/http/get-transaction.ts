import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam, textParam } from '@fiado/shared/chassis/http/params';
import { sendJson } from '@fiado/shared/chassis/http/send-json';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { findTransactionView } from '../db/transaction-views.repository';
import { presentTransaction } from './present-transaction';

/** e9: GET /transaction/external/{wholesalerTransactionId}; of several the newest. */
export function handleGetTransactionByOrder(context: Context): RequestHandler {
  return async (req, res) => {
    const transaction = await findTransactionView(context.db, callerOf(req).id, {
      wholesalerTransactionId: textParam(req, 'wholesalerTransactionId'),
    });
    if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    sendJson(res, presentTransaction(transaction));
  };
}

/** GET /transaction/{transactionId}. */
export function handleGetTransaction(context: Context): RequestHandler {
  return async (req, res) => {
    const transaction = await findTransactionView(context.db, callerOf(req).id, {
      transactionId: idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND'),
    });
    if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    sendJson(res, presentTransaction(transaction));
  };
}
