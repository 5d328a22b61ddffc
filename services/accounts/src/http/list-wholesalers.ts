import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { findWholesalers } from '../db/wholesalers.repository';
import { exampleWholesaler, presentWholesaler, wholesalerAnswer } from './wholesaler';

export const listWholesalersEndpoint = endpoint({
  id: 'listWholesalers',
  tag: 'Ops: wholesalers',
  route: 'GET /v1/admin/wholesalers',
  scope: 'viewer',
  summary: 'List wholesalers, newest first',
  query: PageQuery,
  answer: t.page('WholesalerPage', { wholesalers: t.listOf(wholesalerAnswer) }),
  example: { wholesalers: [exampleWholesaler], nextCursor: null },
  input: ({ query }) => query,
  handle: async ({ db }: Context, { cursor, limit }) => {
    await requireCursor(db, cursor, 'wholesalers');
    const found = await findWholesalers(db, cursor, limit + 1);
    return pageOf(found, limit, ({ wholesalerId }) => wholesalerId);
  },
  present: ({ page, nextCursor }) => ({ wholesalers: page.map(presentWholesaler), nextCursor }),
});
