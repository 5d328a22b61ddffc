import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { IsNull } from '@fiado/chassis/db/typeorm';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { endOpsAccess } from '../staff/end-access';
import { ApiKeyRow } from './api-key.entity';
import { OpsKeyRow } from './ops-key.entity';

const KEYS = {
  api: { entity: ApiKeyRow, action: 'api-key.revoked', notFound: 'API_KEY_NOT_FOUND' },
  ops: { entity: OpsKeyRow, action: 'ops-key.revoked', notFound: 'OPS_KEY_NOT_FOUND' },
} as const;

/** Shared by the two endpoints. */
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
  as: 'apiKeys.revoke',
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
  as: 'opsKeys.revoke',
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

/** Ends a key for good, an ops key with its access tokens; revoking it again changes nothing. */
async function revokeKey(
  { db }: Context,
  { by, kind, id }: { by: Caller; kind: keyof typeof KEYS; id: string },
): Promise<void> {
  const { entity, action, notFound } = KEYS[kind];
  await db.transaction(async (tx) => {
    const live = { id, revokedAt: IsNull() };
    const { affected } = await tx.manager.update<ApiKeyRow | OpsKeyRow>(entity, live, {
      revokedAt: () => 'now()',
    });
    if (affected === 0) {
      const isKnown = await tx.manager.existsBy<ApiKeyRow | OpsKeyRow>(entity, { id });
      if (!isKnown) throw new AppError(notFound);
      return;
    }
    if (kind === 'ops') await endOpsAccess(tx, { by, actorId: id });
    await recordAudit(tx, { by, action, objectId: id });
  });
}
