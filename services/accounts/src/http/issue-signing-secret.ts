import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { issueSigningSecret } from '../use-cases/issue-signing-secret';
import { EXAMPLE_SECRET } from './payment-provider';

export const issueSigningSecretEndpoint = endpoint({
  id: 'issueSigningSecret',
  tag: 'Credentials',
  route: 'POST /v1/admin/payment-providers/:paymentProviderId/signing-secrets',
  scope: 'admin',
  summary: 'Issue a signing secret of a payment provider',
  description:
    'Shown once. The previous secret stays valid for 24 hours; issue two secrets to end it at once.',
  mayWait: true,
  errors: ['PROVIDER_NOT_FOUND'],
  status: 201,
  answer: t.object('SigningSecret', { signingSecret: t.text }),
  example: { signingSecret: EXAMPLE_SECRET },
  input: ({ id, caller: by }) => ({
    by,
    paymentProviderId: id('paymentProviderId', 'PROVIDER_NOT_FOUND'),
  }),
  handle: issueSigningSecret,
  present: (signingSecret) => ({ signingSecret }),
});
