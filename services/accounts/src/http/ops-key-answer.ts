import { SCOPES_OF_KIND } from '@fiado/contracts/scopes';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { OpsKey } from '../db/ops-keys.repository';

export const opsKeyFields = {
  opsKeyId: t.uuid,
  name: t.text,
  scope: t.oneOf(SCOPES_OF_KIND.ops),
  expiresAt: t.timestamp,
  revokedAt: t.nullable(t.timestamp),
  lastUsedAt: t.nullable({ ...t.timestamp, description: 'Exact to a minute' }),
  createdAt: t.timestamp,
};

/** An ops key as it is shown: never the key itself. */
export const opsKeyAnswer = t.object('OpsKey', opsKeyFields);

export const exampleOpsKey: t.AnswerOf<typeof opsKeyAnswer> = {
  opsKeyId: 'b7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34',
  name: 'Ana, back office',
  scope: 'operator',
  expiresAt: '2027-06-30T00:00:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
  createdAt: '2026-09-21T16:04:05.678Z',
};

export function presentOpsKey(key: OpsKey): t.AnswerOf<typeof opsKeyAnswer> {
  return {
    opsKeyId: key.id,
    name: key.name,
    scope: key.scope,
    expiresAt: key.expiresAt.toISOString(),
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  };
}
