import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { createPaymentProvider } from '../use-cases/create-payment-provider';
import { exampleKey } from './examples';
import {
  EXAMPLE_SECRET,
  exampleProvider,
  presentPaymentProvider,
  PROVIDER_GUARDS,
  providerFields,
  UpdatePaymentProviderBody,
  providerSettingsOf,
} from './payment-provider';

const MAX_NAME = 100;

class CreatePaymentProviderBody extends UpdatePaymentProviderBody {
  @IsNonEmptyText(MAX_NAME)
  name: string;
}

export const createPaymentProviderEndpoint = endpoint({
  id: 'createPaymentProvider',
  tag: 'Ops: wholesalers',
  route: 'POST /v1/admin/payment-providers',
  scope: 'admin',
  summary: 'Create a payment provider and its first key',
  description: `${PROVIDER_GUARDS} Its secret is \`signingSecret\`, which is shown once.`,
  body: CreatePaymentProviderBody,
  bodyExample: {
    name: 'Pagos del Centro',
    allowedAddresses: ['203.0.113.0/24'],
    signatureRequired: true,
  },
  mayWait: true,
  errors: ['PROVIDER_ALREADY_EXISTS'],
  status: 201,
  answer: t.object('CreatedPaymentProvider', {
    ...providerFields,
    apiKeyId: t.uuid,
    apiKey: t.text,
    signingSecret: t.nullable(t.text),
  }),
  example: { ...exampleProvider, ...exampleKey, signingSecret: EXAMPLE_SECRET },
  input: ({ body, caller: by }) => ({ by, name: body.name, settings: providerSettingsOf(body) }),
  handle: createPaymentProvider,
  present: ({ provider, key: { apiKeyId, apiKey }, signingSecret }) => ({
    ...presentPaymentProvider(provider),
    apiKeyId,
    apiKey,
    signingSecret,
  }),
});
