import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { amountOf } from '@fiado/shared/money';
import type { Context } from '../context';
import { checkOrder } from '../use-cases/check-order';
import { CreateTransactionBody, orderOf } from './create-transaction';

/** POST /transaction/check: e7's body, and what would become of it. */
export function handleCheckOrder(context: Context): RequestHandler {
  return async (req, res) => {
    const body = validBody(CreateTransactionBody, req);
    const order = orderOf(body, context.config.TIME_ZONE);
    const checked = await checkOrder(context, {
      ...order,
      wholesalerId: callerOf(req).id,
      cornerStoreId: body.cornerStoreId.toLowerCase(),
    });
    res.json({
      accepted: checked.reasons.length === 0,
      rejectionReasons: checked.reasons,
      creditLimitAvailable: amountOf(checked.availableCents),
      maximumAmount: amountOf(checked.maximumCents),
    });
  };
}
