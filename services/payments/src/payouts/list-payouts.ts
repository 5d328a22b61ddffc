import { query } from '@fiado/chassis/db/query';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { examplePayout, type Payout, payoutAnswer, presentPayout } from './payout';

export const listPayoutsEndpoint = endpoint({
  id: 'listPayouts',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/payouts',
  scope: 'viewer',
  summary: 'List payouts of a corner store, newest first',
  description: 'Empty for a store that payments does not know.',
  query: PageQuery,
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: t.page('PayoutPage', {
    payouts: t.field(t.listOf(payoutAnswer), 'Payouts of a credit balance'),
  }),
  example: { payouts: [examplePayout], nextCursor: null },
  input: ({ id, query: { cursor, limit } }) => ({
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    cursor,
    limit,
  }),
  handle: async ({ db }: Context, { cornerStoreId, cursor, limit }) => {
    await requireCursor(db, cursor, 'payouts');
    const found = await query<Payout>(
      db,
      `SELECT * FROM payouts WHERE corner_store_id = $1 AND ($2::uuid IS NULL OR id < $2)
        ORDER BY id DESC LIMIT $3`,
      [cornerStoreId, cursor ?? null, limit + 1],
    );
    return pageOf(found, limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({ payouts: page.map(presentPayout), nextCursor }),
});
