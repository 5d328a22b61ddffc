import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { SCOPES_OF_KIND } from '@fiado/contracts/caller';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import type { OpsKeyRow } from './ops-key.entity';

export const OPS_KEY = 'id, name, scope, expires_at, revoked_at, last_used_at, created_at';

export const opsKeyFields = {
  opsKeyId: fields.opsKeyId,
  name: t.field(t.text, 'Who or what uses the key', 'Ana, back office'),
  scope: t.field(t.oneOf(SCOPES_OF_KIND.ops), 'Role of the key; each includes the ones before it'),
  expiresAt: fields.expiresAt,
  revokedAt: t.timeOrNull('Time at which it was revoked', '2026-12-01T00:00:00.000Z'),
  lastUsedAt: t.field(
    t.nullable({ ...t.timestamp, description: 'Exact to a minute' }),
    'Time of the last use',
    '2026-11-22T16:05:00.000Z',
  ),
  createdAt: fields.createdAt,
};

/** An ops key as it is shown: never the key itself. */
const opsKeyAnswer = t.object('OpsKey', opsKeyFields);

export const exampleOpsKey: t.ExampleOf<typeof opsKeyAnswer> = {
  scope: 'operator',
  expiresAt: '2027-06-30T00:00:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
};

export const listOpsKeysEndpoint = listEndpoint({
  id: 'listOpsKeys',
  as: 'opsKeys.list',
  columns: ['opsKeyId', 'name', 'scope', 'expiresAt', 'revokedAt', 'lastUsedAt', 'createdAt'],
  tag: 'Credentials',
  route: 'GET /v1/admin/ops-keys',
  scope: 'admin',
  summary: 'List the named ops keys',
  description: 'Newest first, including revoked and expired ones.',
  query: PageQuery,
  page: 'OpsKeyPage',
  items: { opsKeys: t.field(opsKeyAnswer, 'Ops keys') },
  cursor: t.text,
  example: exampleOpsKey,
  input: ({ query }) => query,
  find: ({ db }: Context, asked) =>
    pageOfRows<OpsKey>(db, asked, { select: `SELECT ${OPS_KEY} FROM ops_keys`, from: 'ops_keys' }),
  present: presentOpsKey,
});

export function presentOpsKey(key: OpsKey): t.AnswerOf<typeof opsKeyAnswer> {
  return t.presentRow(opsKeyAnswer, key, { opsKeyId: key.id });
}

/** A named credential of the lender's ops people. */
export interface OpsKey extends Pick<
  OpsKeyRow,
  'id' | 'scope' | 'expiresAt' | 'revokedAt' | 'createdAt'
> {
  /** The person or the machine that uses it. */
  name: OpsKeyRow['name'];
  /** Exact to a minute. */
  lastUsedAt: OpsKeyRow['lastUsedAt'];
}
