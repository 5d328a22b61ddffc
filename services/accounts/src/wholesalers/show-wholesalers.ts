import { query } from '@fiado/chassis/db/query';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { WholesalerSnapshot } from '@fiado/contracts/corner-store';
import { AppError } from '@fiado/contracts/errors';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { WHOLESALER_SETTINGS, wholesalerSnapshot } from '../snapshots/snapshots.sql';
import { exampleWholesaler, presentWholesaler, wholesalerAnswer } from './wholesaler';

export const getWholesalerEndpoint = endpoint({
  id: 'getWholesaler',
  as: 'wholesalers.get',
  tag: 'Ops: wholesalers',
  route: 'GET /v1/admin/wholesalers/:wholesalerId',
  scope: 'viewer',
  summary: 'Get a wholesaler and its settings',
  errors: ['WHOLESALER_NOT_FOUND'],
  answer: wholesalerAnswer,
  example: exampleWholesaler,
  input: ({ id }) => id('wholesalerId', 'WHOLESALER_NOT_FOUND'),
  handle: async ({ db }: Context, wholesalerId) => {
    const found = await wholesalerSnapshot(db, wholesalerId);
    if (found === null) throw new AppError('WHOLESALER_NOT_FOUND');
    return found.snapshot;
  },
  present: presentWholesaler,
});

export const listWholesalersEndpoint = endpoint({
  id: 'listWholesalers',
  as: 'wholesalers.list',
  columns: [
    'wholesalerId',
    'name',
    'minimumTransactionAmount',
    'commissionRate',
    'paymentTermDays',
    'batchEnabled',
  ],
  tag: 'Ops: wholesalers',
  route: 'GET /v1/admin/wholesalers',
  scope: 'viewer',
  summary: 'List wholesalers, newest first',
  query: PageQuery,
  answer: t.page('WholesalerPage', {
    wholesalers: t.field(t.listOf(wholesalerAnswer), 'Wholesalers, newest first'),
  }),
  example: { wholesalers: [exampleWholesaler], nextCursor: null },
  input: ({ query }) => query,
  handle: async ({ db }: Context, { cursor, limit }) => {
    await requireCursor(db, cursor, 'wholesalers');
    // Wholesalers with their settings, newest first: ids are in the order of their time.
    const found = await query<Required<WholesalerSnapshot>>(
      db,
      `SELECT ${WHOLESALER_SETTINGS} FROM wholesalers
        WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
      [cursor, limit + 1],
    );
    return pageOf(found, limit, ({ wholesalerId }) => wholesalerId);
  },
  present: ({ page, nextCursor }) => ({ wholesalers: page.map(presentWholesaler), nextCursor }),
});
