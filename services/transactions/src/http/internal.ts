import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { findLiveMessagesEndpoint } from '@fiado/chassis/outbox/sms-rows';
import { sampledFigures } from '@fiado/chassis/ops-figures';
import { orderFiguresCall } from '@fiado/contracts/ops-figures';
import { creditUseCall } from '@fiado/contracts/credit-use';
import { deliveredTransactionCall } from '@fiado/contracts/delivered-transaction';
import { requireSandbox } from '@fiado/chassis/require-sandbox';
import { deliverSandboxOrderCall } from '@fiado/contracts/deliver-sandbox-order';
import { endSandboxOrdersCall } from '@fiado/contracts/end-sandbox-orders';
import { AppError } from '@fiado/contracts/errors';
import { searchCall } from '@fiado/contracts/search';
import { timelineCall } from '@fiado/contracts/timeline';
import type { Context } from '../context';
import { findCreditUse } from '../db/credit-use.repository';
import { findDelivered } from '../db/delivered.repository';
import { searchOrders } from '../db/search.repository';
import { findTransactionsTimeline } from '../db/timeline.repository';
import { deliverSandboxOrder } from '../use-cases/deliver-sandbox-order';
import { endSandboxOrders } from '../use-cases/end-sandbox-orders';
import { readOpsFigures } from '../use-cases/read-ops-figures';

export const creditUseEndpoint = internalEndpoint({
  call: creditUseCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, { cornerStoreIds }) => ({
    lines: await findCreditUse(db, cornerStoreIds),
  }),
});

export const deliveredTransactionEndpoint = internalEndpoint({
  call: deliveredTransactionCall,
  allow: ['service:payments'],
  handle: async ({ db }: Context, { transactionId, wholesalerId }) => {
    const found = await findDelivered(db, wholesalerId, transactionId);
    if (found === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    return { delivered: found.delivered };
  },
});

export const endSandboxOrdersEndpoint = internalEndpoint({
  call: endSandboxOrdersCall,
  allow: ['service:payments'],
  handle: (context: Context, { wholesalerId, asOf }) => {
    requireSandbox(context.config);
    return endSandboxOrders(context, { wholesalerId, asOf: asOf ?? null });
  },
});

export const deliverSandboxOrderEndpoint = internalEndpoint({
  call: deliverSandboxOrderCall,
  allow: ['service:payments'],
  handle: (context: Context, order) => {
    requireSandbox(context.config);
    return deliverSandboxOrder(context, order);
  },
});

export const opsFiguresEndpoint = internalEndpoint({
  call: orderFiguresCall,
  allow: ['service:accounts'],
  handle: sampledFigures(readOpsFigures),
});

export const timelineEndpoint = internalEndpoint({
  call: timelineCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, question) => ({
    entries: await findTransactionsTimeline(db, question),
  }),
});

export const searchEndpoint = internalEndpoint({
  call: searchCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, { text }) => ({
    hits: await searchOrders(db, text),
  }),
});

/** A code or a delivery word, while its order waits for it. */
export const liveMessagesEndpoint = findLiveMessagesEndpoint(
  `CASE template
     WHEN 'order-code' THEN EXISTS (
       SELECT FROM verifications JOIN transactions ON transactions.id = transaction_id
        WHERE verifications.id = "verificationId"
          AND verifications.status = 'pending'
          AND transactions.status = 'pending-verification')
     ELSE EXISTS (
       SELECT FROM transactions WHERE id = "subjectId" AND status = 'on-hold') END`,
);
