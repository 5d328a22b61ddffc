import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { WholesalerSnapshot } from '@fiado/contracts/corner-store';
import { AppError } from '@fiado/contracts/errors';
import { PageQuery } from '@fiado/contracts/page';
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

export const listWholesalersEndpoint = listEndpoint({
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
  page: 'WholesalerPage',
  items: { wholesalers: t.field(wholesalerAnswer, 'Wholesalers, newest first') },
  example: exampleWholesaler,
  input: ({ query }) => query,
  find: ({ db }: Context, asked) =>
    pageOfRows<Required<WholesalerSnapshot> & { id: string }>(db, asked, {
      select: `SELECT id, ${WHOLESALER_SETTINGS} FROM wholesalers`,
      from: 'wholesalers',
    }),
  present: ({ id: _id, ...wholesaler }) => presentWholesaler(wholesaler),
});
