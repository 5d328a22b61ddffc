import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { revokeKey } from '../use-cases/revoke-key';

/** What both endpoints have in common. */
const revoking = {
  tag: 'Credentials',
  scope: 'admin',
  answer: t.noContent,
  handle: revokeKey,
  present: () => undefined,
} as const;

export const revokeApiKeyEndpoint = endpoint({
  ...revoking,
  id: 'revokeApiKey',
  route: 'DELETE /v1/admin/api-keys/:apiKeyId',
  summary: 'Revoke a key',
  description: 'Takes effect everywhere within 5 seconds.',
  errors: ['API_KEY_NOT_FOUND'],
  input: ({ id, caller: by }) => ({
    by,
    kind: 'api' as const,
    id: id('apiKeyId', 'API_KEY_NOT_FOUND'),
  }),
});

export const revokeOpsKeyEndpoint = endpoint({
  ...revoking,
  id: 'revokeOpsKey',
  route: 'DELETE /v1/admin/ops-keys/:opsKeyId',
  summary: 'Revoke a named ops key',
  description: 'Takes effect everywhere within 5 seconds, for its access tokens too.',
  errors: ['OPS_KEY_NOT_FOUND'],
  input: ({ id, caller: by }) => ({
    by,
    kind: 'ops' as const,
    id: id('opsKeyId', 'OPS_KEY_NOT_FOUND'),
  }),
});
