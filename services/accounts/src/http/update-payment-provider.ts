import { endpoint } from '@fiado/chassis/http/endpoint';
import { openChange } from '@fiado/chassis/openapi/change-requested';
import { updatePaymentProvider } from '../use-cases/update-payment-provider';
import {
  exampleProvider,
  presentPaymentProvider,
  PROVIDER_GUARDS,
  providerAnswer,
  providerSettingsOf,
  UpdatePaymentProviderBody,
} from './payment-provider';

export const updatePaymentProviderEndpoint = endpoint({
  id: 'updatePaymentProvider',
  tag: 'Ops: wholesalers',
  route: 'PUT /v1/admin/payment-providers/:paymentProviderId',
  scope: 'admin',
  summary: 'Change the settings of a payment provider',
  description:
    `Omitted fields keep their value. ${PROVIDER_GUARDS} It is refused (400) before a secret is ` +
    'issued. Takes effect everywhere within 5 seconds.',
  body: UpdatePaymentProviderBody,
  bodyExample: { allowedAddresses: ['203.0.113.0/24'], signatureRequired: true },
  mayWait: true,
  errors: ['PROVIDER_NOT_FOUND', 'CHANGE_ALREADY_REQUESTED'],
  errorFields: { CHANGE_ALREADY_REQUESTED: openChange },
  answer: providerAnswer,
  example: exampleProvider,
  input: ({ body, id, caller: by }) => ({
    by,
    changes: providerSettingsOf(body),
    paymentProviderId: id('paymentProviderId', 'PROVIDER_NOT_FOUND'),
  }),
  handle: updatePaymentProvider,
  present: presentPaymentProvider,
});
