import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { exampleProvider, presentPaymentProvider, providerAnswer } from './payment-provider';
import { PaymentProviderRow } from './payment-provider.entity';
import type { PaymentProvider } from './provider-settings.rules';

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

export const listPaymentProvidersEndpoint = listEndpoint({
  id: 'listPaymentProviders',
  as: 'paymentProviders.list',
  columns: ['paymentProviderId', 'name', 'timeZone', 'signatureRequired', 'allowedAddresses'],
  tag: 'Ops: wholesalers',
  route: 'GET /v1/admin/payment-providers',
  scope: 'viewer',
  summary: 'List payment providers, newest first',
  query: PageQuery,
  page: 'PaymentProviderPage',
  items: { paymentProviders: t.field(providerAnswer, 'Payment providers, newest first') },
  example: exampleProvider,
  input: ({ query }) => query,
  find: ({ db }: Context, asked) =>
    pageOfRows<PaymentProvider>(db, asked, {
      select:
        'SELECT id, name, time_zone, allowed_addresses, signature_required FROM payment_providers',
      from: 'payment_providers',
    }),
  present: presentPaymentProvider,
});
