import { endpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findPaymentProvider } from '../db/payment-providers.repository';
import { exampleProvider, presentPaymentProvider, providerAnswer } from './payment-provider';

export const getPaymentProviderEndpoint = endpoint({
  id: 'getPaymentProvider',
  tag: 'Ops: wholesalers',
  route: 'GET /v1/admin/payment-providers/:paymentProviderId',
  scope: 'viewer',
  summary: 'Get a payment provider and its settings',
  errors: ['PROVIDER_NOT_FOUND'],
  answer: providerAnswer,
  example: exampleProvider,
  input: ({ id }) => id('paymentProviderId', 'PROVIDER_NOT_FOUND'),
  handle: async ({ db }: Context, paymentProviderId) => {
    const found = await findPaymentProvider(db, paymentProviderId);
    if (found === undefined) throw new AppError('PROVIDER_NOT_FOUND');
    return found;
  },
  present: presentPaymentProvider,
});
