import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { listPayouts } from '../db/payouts.repository';
import { examplePayout, payoutAnswer, presentPayout } from './payout-answer';

export const listPayoutsEndpoint = endpoint({
  id: 'listPayouts',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/payouts',
  scope: 'viewer',
  summary: 'List payouts of a corner store, newest first',
  description: 'Empty for a store that payments does not know.',
  query: PageQuery,
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: t.page('PayoutPage', { payouts: t.listOf(payoutAnswer) }),
  example: { payouts: [examplePayout], nextCursor: null },
  input: ({ id, query: { cursor, limit } }) => ({
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    cursor,
    limit,
  }),
  handle: async ({ db }: Context, { cornerStoreId, cursor, limit }) => {
    await requireCursor(db, cursor, 'payouts');
    const found = await listPayouts(db, { cornerStoreId, cursor, limit: limit + 1 });
    return pageOf(found, limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({ payouts: page.map(presentPayout), nextCursor }),
});
