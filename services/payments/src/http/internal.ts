import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { findLiveMessagesEndpoint } from '@fiado/chassis/outbox/sms-rows';
import { sampledFigures } from '@fiado/chassis/ops-figures';
import { paymentFiguresCall } from '@fiado/contracts/ops-figures';
import { debtsCall } from '@fiado/contracts/account-link';
import { cornerStoreDebtsCall } from '@fiado/contracts/corner-store-debts';
import { paymentCall } from '@fiado/contracts/payment';
import { searchCall } from '@fiado/contracts/search';
import { timelineCall } from '@fiado/contracts/timeline';
import type { Context } from '../context';
import { findCornerStoreDebts } from '../db/corner-store-debts.repository';
import { findDebts } from '../db/debts.repository';
import { searchReferences } from '../db/search.repository';
import { findPaymentsTimeline } from '../db/timeline.repository';
import { getPayment } from '../use-cases/get-payment';
import { presentPayment } from './get-payment';
import { readOpsFigures } from '../use-cases/read-ops-figures';

export const paymentEndpoint = internalEndpoint({
  call: paymentCall,
  allow: ['service:gateway'],
  handle: async (context: Context, question) =>
    presentPayment(
      await getPayment(context, question),
      context.clock.now(),
      context.config.TIME_ZONE,
    ),
});

export const debtsEndpoint = internalEndpoint({
  call: debtsCall,
  allow: ['service:gateway'],
  handle: async ({ db, clock, config }: Context, question) => ({
    debts: (await findDebts(db, question)).map((view) =>
      presentPayment(view, clock.now(), config.TIME_ZONE),
    ),
    timeZone: config.TIME_ZONE,
  }),
});

export const opsFiguresEndpoint = internalEndpoint({
  call: paymentFiguresCall,
  allow: ['service:accounts'],
  handle: sampledFigures(readOpsFigures),
});

export const cornerStoreDebtsEndpoint = internalEndpoint({
  call: cornerStoreDebtsCall,
  allow: ['service:accounts'],
  handle: ({ db, clock }: Context, { cornerStoreId }) =>
    findCornerStoreDebts(db, cornerStoreId, clock.now()),
});

export const timelineEndpoint = internalEndpoint({
  call: timelineCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, question) => ({
    entries: await findPaymentsTimeline(db, question),
  }),
});

export const searchEndpoint = internalEndpoint({
  call: searchCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, { text }) => ({
    hits: await searchReferences(db, text),
  }),
});

/** A reminder, while its debt is not paid. */
export const liveMessagesEndpoint = findLiveMessagesEndpoint(
  `EXISTS (SELECT FROM receivables
            WHERE transaction_id = "subjectId" AND paid_at IS NULL)`,
);
