import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { answerOnce } from '@fiado/shared/chassis/http/idempotency';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { cancelTransaction } from '../use-cases/cancel-transaction';
import { presentTransaction } from './present-transaction';

/** POST /transaction/{transactionId}/cancel. */
export function handleCancelTransaction(context: Context): RequestHandler {
  return async (req, res) => {
    const command = {
      wholesalerId: callerOf(req).id,
      transactionId: idParam(req, 'transactionId', 'TRANSACTION_NOT_FOUND'),
    };
    await answerOnce(context.db, req, res, {
      status: 200,
      present: presentTransaction,
      work: (keep) => cancelTransaction(context, command, keep),
    });
  };
}
