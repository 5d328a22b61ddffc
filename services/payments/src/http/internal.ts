import { internalEndpoint } from '@fiado/shared/chassis/http/endpoint';
import { sampledFigures } from '@fiado/shared/chassis/ops-figures';
import { OpsFiguresQuestion } from '@fiado/shared/contracts/ops-figures';
import { DebtsQuestion, type DebtsAnswer } from '@fiado/shared/contracts/account-link';
import {
  CornerStoreDebtsQuestion,
  type CornerStoreDebts,
} from '@fiado/shared/contracts/corner-store-debts';
import { PaymentQuestion, type PaymentAnswer } from '@fiado/shared/contracts/payment';
import { SearchQuestion, type SearchAnswer } from '@fiado/shared/contracts/search';
import { TimelineQuestion, type TimelineAnswer } from '@fiado/shared/contracts/timeline';
import {
  LiveMessagesQuestion,
  type LiveMessagesAnswer,
} from '@fiado/shared/contracts/live-messages';
import type { Context } from '../context';
import { findLiveMessages } from '../db/live-messages.repository';
import { findCornerStoreDebts } from '../db/corner-store-debts.repository';
import { findDebts } from '../db/debts.repository';
import { searchReferences } from '../db/search.repository';
import { findPaymentsTimeline } from '../db/timeline.repository';
import { getPayment } from '../use-cases/get-payment';
import { presentPayment } from './get-payment';
import { readOpsFigures } from '../use-cases/read-ops-figures';

export const paymentEndpoint = internalEndpoint({
  path: '/internal/payment',
  allow: ['service:gateway'],
  body: PaymentQuestion,
  handle: async (context: Context, question): Promise<PaymentAnswer> =>
    presentPayment(
      await getPayment(context, question),
      context.clock.now(),
      context.config.TIME_ZONE,
    ),
});

export const debtsEndpoint = internalEndpoint({
  path: '/internal/debts',
  allow: ['service:gateway'],
  body: DebtsQuestion,
  handle: async ({ db, clock, config }: Context, question): Promise<DebtsAnswer> => ({
    debts: (await findDebts(db, question)).map((view) =>
      presentPayment(view, clock.now(), config.TIME_ZONE),
    ),
    timeZone: config.TIME_ZONE,
  }),
});

export const opsFiguresEndpoint = internalEndpoint({
  path: '/internal/ops-figures',
  allow: ['service:accounts'],
  body: OpsFiguresQuestion,
  handle: sampledFigures(readOpsFigures),
});

export const cornerStoreDebtsEndpoint = internalEndpoint({
  path: '/internal/corner-store-debts',
  allow: ['service:accounts'],
  body: CornerStoreDebtsQuestion,
  handle: ({ db, clock }: Context, { cornerStoreId }): Promise<CornerStoreDebts> =>
    findCornerStoreDebts(db, cornerStoreId, clock.now()),
});

export const timelineEndpoint = internalEndpoint({
  path: '/internal/timeline',
  allow: ['service:accounts'],
  body: TimelineQuestion,
  handle: async ({ db }: Context, question): Promise<TimelineAnswer> => ({
    entries: await findPaymentsTimeline(db, question),
  }),
});

export const searchEndpoint = internalEndpoint({
  path: '/internal/search',
  allow: ['service:accounts'],
  body: SearchQuestion,
  handle: async ({ db }: Context, { text }): Promise<SearchAnswer> => ({
    hits: await searchReferences(db, text),
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
