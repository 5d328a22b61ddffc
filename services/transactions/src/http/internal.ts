import { internalEndpoint } from '@fiado/shared/chassis/http/endpoint';
import { sampledFigures } from '@fiado/shared/chassis/ops-figures';
import {
  LiveMessagesQuestion,
  type LiveMessagesAnswer,
} from '@fiado/shared/contracts/live-messages';
import { OpsFiguresQuestion } from '@fiado/shared/contracts/ops-figures';
import { CreditUseQuestion, type CreditUseAnswer } from '@fiado/shared/contracts/credit-use';
import {
  DeliveredTransactionQuestion,
  type DeliveredTransactionAnswer,
} from '@fiado/shared/contracts/delivered-transaction';
import { requireSandbox } from '@fiado/shared/chassis/require-sandbox';
import { DeliverSandboxOrder } from '@fiado/shared/contracts/deliver-sandbox-order';
import { EndSandboxOrders } from '@fiado/shared/contracts/end-sandbox-orders';
import { AppError } from '@fiado/shared/contracts/errors';
import { SearchQuestion, type SearchAnswer } from '@fiado/shared/contracts/search';
import { TimelineQuestion, type TimelineAnswer } from '@fiado/shared/contracts/timeline';
import type { Context } from '../context';
import { findLiveMessages } from '../db/live-messages.repository';
import { findCreditUse } from '../db/credit-use.repository';
import { findDelivered } from '../db/delivered.repository';
import { searchOrders } from '../db/search.repository';
import { findTransactionsTimeline } from '../db/timeline.repository';
import { deliverSandboxOrder } from '../use-cases/deliver-sandbox-order';
import { endSandboxOrders } from '../use-cases/end-sandbox-orders';
import { readOpsFigures } from '../use-cases/read-ops-figures';

export const creditUseEndpoint = internalEndpoint({
  path: '/internal/credit-use',
  allow: ['service:accounts'],
  body: CreditUseQuestion,
  handle: async ({ db }: Context, { cornerStoreIds }): Promise<CreditUseAnswer> => ({
    lines: await findCreditUse(db, cornerStoreIds),
  }),
});

export const deliveredTransactionEndpoint = internalEndpoint({
  path: '/internal/delivered-transaction',
  allow: ['service:payments'],
  body: DeliveredTransactionQuestion,
  handle: async (
    { db }: Context,
    { transactionId, wholesalerId },
  ): Promise<DeliveredTransactionAnswer> => {
    const found = await findDelivered(db, wholesalerId, transactionId);
    if (found === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    return { delivered: found.delivered };
  },
});

export const endSandboxOrdersEndpoint = internalEndpoint({
  path: '/internal/sandbox/end-orders',
  allow: ['service:payments'],
  body: EndSandboxOrders,
  handle: (context: Context, { wholesalerId, asOf }) => {
    requireSandbox(context.config);
    return endSandboxOrders(context, { wholesalerId, asOf: asOf ?? null });
  },
});

export const deliverSandboxOrderEndpoint = internalEndpoint({
  path: '/internal/sandbox/deliver-order',
  allow: ['service:payments'],
  body: DeliverSandboxOrder,
  handle: (context: Context, order) => {
    requireSandbox(context.config);
    return deliverSandboxOrder(context, order);
  },
});

export const opsFiguresEndpoint = internalEndpoint({
  path: '/internal/ops-figures',
  allow: ['service:accounts'],
  body: OpsFiguresQuestion,
  handle: sampledFigures(readOpsFigures),
});

export const timelineEndpoint = internalEndpoint({
  path: '/internal/timeline',
  allow: ['service:accounts'],
  body: TimelineQuestion,
  handle: async ({ db }: Context, question): Promise<TimelineAnswer> => ({
    entries: await findTransactionsTimeline(db, question),
  }),
});

export const searchEndpoint = internalEndpoint({
  path: '/internal/search',
  allow: ['service:accounts'],
  body: SearchQuestion,
  handle: async ({ db }: Context, { text }): Promise<SearchAnswer> => ({
    hits: await searchOrders(db, text),
  }),
});

export const liveMessagesEndpoint = internalEndpoint({
  path: '/internal/live-messages',
  allow: ['service:notifier'],
  body: LiveMessagesQuestion,
  handle: async ({ db }: Context, { messages }): Promise<LiveMessagesAnswer> => ({
    messageIds: await findLiveMessages(db, messages),
  }),
});
