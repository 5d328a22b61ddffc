import { query } from '@fiado/chassis/db/query';
import { rowExists } from '@fiado/chassis/db/rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { endOpsAccess } from '../staff/end-access';

const KEYS = {
  api: { table: 'api_keys', action: 'api-key.revoked', notFound: 'API_KEY_NOT_FOUND' },
  ops: { table: 'ops_keys', action: 'ops-key.revoked', notFound: 'OPS_KEY_NOT_FOUND' },
} as const;

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

/**
 * Ends a key for good, an ops key with its access tokens; revoking it again changes nothing.
 * @throws AppError API_KEY_NOT_FOUND, OPS_KEY_NOT_FOUND
 */
async function revokeKey(
  { db }: Context,
  { by, kind, id }: { by: Caller; kind: keyof typeof KEYS; id: string },
): Promise<void> {
  const { table, action, notFound } = KEYS[kind];
  await db.transaction(async (tx) => {
    const revoked = await query(
      tx,
      `UPDATE ${table} SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id`,
      [id],
    );
    if (revoked.length === 1) {
      if (kind === 'ops') await endOpsAccess(tx, { by, actorId: id });
      await recordAudit(tx, { by, action, objectId: id });
    } else if (!(await rowExists(tx, table, id))) throw new AppError(notFound);
  });
}
