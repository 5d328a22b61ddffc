import { query } from '@fiado/chassis/db/query';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { exampleProvider, presentPaymentProvider, providerAnswer } from './payment-provider';
import { PaymentProviderRow } from './payment-provider.entity';

export const getPaymentProviderEndpoint = endpoint({
  id: 'getPaymentProvider',
  as: 'paymentProviders.get',
  tag: 'Ops: wholesalers',
  route: 'GET /v1/admin/payment-providers/:paymentProviderId',
  scope: 'viewer',
  summary: 'Get a payment provider and its settings',
  errors: ['PROVIDER_NOT_FOUND'],
  answer: providerAnswer,
  example: exampleProvider,
  input: ({ id }) => id('paymentProviderId', 'PROVIDER_NOT_FOUND'),
  handle: async ({ db }: Context, paymentProviderId) => {
    const found = await db.manager.findOneBy(PaymentProviderRow, { id: paymentProviderId });
    if (found === null) throw new AppError('PROVIDER_NOT_FOUND');
    return found;
  },
  present: presentPaymentProvider,
});

export const listPaymentProvidersEndpoint = endpoint({
  id: 'listPaymentProviders',
  as: 'paymentProviders.list',
  columns: ['paymentProviderId', 'name', 'timeZone', 'signatureRequired', 'allowedAddresses'],
  tag: 'Ops: wholesalers',
  route: 'GET /v1/admin/payment-providers',
  scope: 'viewer',
  summary: 'List payment providers, newest first',
  query: PageQuery,
  answer: t.page('PaymentProviderPage', {
    paymentProviders: t.field(t.listOf(providerAnswer), 'Payment providers, newest first'),
  }),
  example: { paymentProviders: [exampleProvider], nextCursor: null },
  input: ({ query }) => query,
  handle: async ({ db }: Context, { cursor, limit }) => {
    await requireCursor(db, cursor, 'payment_providers');
    // Payment providers, newest first: ids are in the order of their time.
    return pageOf(
      await query<PaymentProviderRow>(
        db,
        `SELECT * FROM payment_providers
          WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
        [cursor, limit + 1],
      ),
      limit,
    );
  },
  present: ({ page, nextCursor }) => ({
    paymentProviders: page.map(presentPaymentProvider),
    nextCursor,
  }),
});
