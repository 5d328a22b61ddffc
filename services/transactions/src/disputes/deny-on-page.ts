import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { denyDeliveryCall, recentDeliveriesCall } from '@fiado/contracts/account-visit';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { denyDelivery, findDeniable } from './deny-order';

/** The deliveries of a store that it may deny on its page, oldest first. */
export const recentDeliveriesEndpoint = internalEndpoint({
  call: recentDeliveriesCall,
  allow: ['service:gateway'],
  handle: async ({ db }: Context, { cornerStoreId, wholesalerId }) => {
    const found = await findDeniable(db, { cornerStoreId, wholesalerIds: [wholesalerId] });
    return {
      deliveries: found.map((one) => ({
        transactionId: one.id,
        wholesaler: one.wholesalerName,
        amount: amountOf(one.amountCents),
        deliveredAt: one.deliveredAt.toISOString(),
        timeZone: one.paymentTimeZone,
        isDisputed: one.isDisputed,
      })),
    };
  },
});

/** A store denies one of these deliveries; once more changes nothing. */
export const denyDeliveryEndpoint = internalEndpoint({
  call: denyDeliveryCall,
  allow: ['service:gateway'],
  handle: async (context: Context, { cornerStoreId, wholesalerId, transactionId }) => {
    const outcome = await context.db.transaction(async (tx) => {
      const deliveries = await findDeniable(tx, { cornerStoreId, wholesalerIds: [wholesalerId] });
      const delivery = deliveries.find(({ id }) => id === transactionId);
      if (delivery === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
      return denyDelivery(context, tx, { ...delivery, openedBy: 'page' });
    });
    return { isNoted: outcome !== 'call' };
  },
});
