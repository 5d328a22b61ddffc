import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { findOpsKeys } from '../db/ops-keys.repository';
import { exampleOpsKey, opsKeyAnswer, presentOpsKey } from './ops-key-answer';

export const listOpsKeysEndpoint = endpoint({
  id: 'listOpsKeys',
  tag: 'Credentials',
  route: 'GET /v1/admin/ops-keys',
  scope: 'admin',
  summary: 'List the named ops keys',
  description: 'Newest first, including revoked and expired ones.',
  query: PageQuery,
  answer: t.page('OpsKeyPage', { opsKeys: t.listOf(opsKeyAnswer) }, t.text),
  example: { opsKeys: [exampleOpsKey], nextCursor: null },
  input: ({ query }) => query,
  handle: async ({ db }: Context, { cursor, limit }) => {
    await requireCursor(db, cursor, 'ops_keys');
    return pageOf(await findOpsKeys(db, cursor, limit + 1), limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({ opsKeys: page.map(presentOpsKey), nextCursor }),
});
