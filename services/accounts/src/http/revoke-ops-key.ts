import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import * as t from '@fiado/shared/openapi/json-schema';
import { revokeOpsKey } from '../use-cases/revoke-ops-key';

export const revokeOpsKeyEndpoint = endpoint({
  id: 'revokeOpsKey',
  tag: 'Credentials',
  route: 'DELETE /v1/admin/ops-keys/:opsKeyId',
  scope: 'admin',
  summary: 'Revoke a named ops key',
  description: 'Takes effect everywhere within 5 seconds, for its access tokens too.',
  errors: ['OPS_KEY_NOT_FOUND'],
  answer: t.noContent,
  input: ({ id, caller: by }) => ({ by, opsKeyId: id('opsKeyId', 'OPS_KEY_NOT_FOUND') }),
  handle: revokeOpsKey,
  present: () => undefined,
});
