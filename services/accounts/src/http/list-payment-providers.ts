import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { findPaymentProviders } from '../db/payment-providers.repository';
import { exampleProvider, presentPaymentProvider, providerAnswer } from './payment-provider';

export const listPaymentProvidersEndpoint = endpoint({
  id: 'listPaymentProviders',
  tag: 'Ops: wholesalers',
  route: 'GET /v1/admin/payment-providers',
  scope: 'viewer',
  summary: 'List payment providers, newest first',
  query: PageQuery,
  answer: t.page('PaymentProviderPage', { paymentProviders: t.listOf(providerAnswer) }),
  example: { paymentProviders: [exampleProvider], nextCursor: null },
  input: ({ query }) => query,
  handle: async ({ db }: Context, { cursor, limit }) => {
    await requireCursor(db, cursor, 'payment_providers');
    return pageOf(await findPaymentProviders(db, cursor, limit + 1), limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({
    paymentProviders: page.map(presentPaymentProvider),
    nextCursor,
  }),
});
