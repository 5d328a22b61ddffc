import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { collectChangeRequest } from '../use-cases/collect-change-request';
import { exampleKey } from './examples';

export const collectChangeRequestEndpoint = endpoint({
  id: 'collectChangeRequest',
  tag: 'Ops: operation',
  route: 'POST /v1/admin/change-requests/:changeRequestId/collect',
  scope: 'admin',
  summary: 'Collect an approved key, secret or invitation',
  description:
    'By the person who asked for it, once. What it names is made by this call, so nobody else ' +
    'sees it: a wholesaler or a payment provider with its first key, a key, a signing secret, or the link ' +
    'of an invitation. An invitation fails with ' +
    '`CHANGE_IS_STALE` when its person was changed after the request.',
  errors: [
    'CHANGE_REQUEST_NOT_FOUND',
    'CHANGE_REQUEST_IS_NOT_PENDING',
    'CHANGE_IS_STALE',
    'SECOND_PERSON_REQUIRED',
    'PROVIDER_ALREADY_EXISTS',
  ],
  status: 201,
  answer: t.object(
    'CollectedSecret',
    {
      wholesalerId: t.uuid,
      paymentProviderId: t.uuid,
      apiKeyId: t.uuid,
      apiKey: t.text,
      signingSecret: t.text,
      staffId: t.uuid,
      invitationLink: t.uri,
    },
    [
      'wholesalerId',
      'paymentProviderId',
      'apiKeyId',
      'apiKey',
      'signingSecret',
      'staffId',
      'invitationLink',
    ],
  ),
  example: exampleKey,
  input: ({ id, caller: by }) => ({
    by,
    changeRequestId: id('changeRequestId', 'CHANGE_REQUEST_NOT_FOUND'),
  }),
  handle: collectChangeRequest,
  present: (collected) => collected,
});
