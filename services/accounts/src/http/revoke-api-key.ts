import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import * as t from '@fiado/shared/openapi/json-schema';
import { revokeApiKey } from '../use-cases/revoke-api-key';

export const revokeApiKeyEndpoint = endpoint({
  id: 'revokeApiKey',
  tag: 'Credentials',
  route: 'DELETE /v1/admin/api-keys/:apiKeyId',
  scope: 'admin',
  summary: 'Revoke a key',
  description: 'Takes effect everywhere within 5 seconds.',
  errors: ['API_KEY_NOT_FOUND'],
  answer: t.noContent,
  input: ({ id, caller: by }) => ({ by, apiKeyId: id('apiKeyId', 'API_KEY_NOT_FOUND') }),
  handle: revokeApiKey,
  present: () => undefined,
});
