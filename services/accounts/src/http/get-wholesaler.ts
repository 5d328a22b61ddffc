import { endpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { wholesalerSnapshot } from '../db/snapshots.repository';
import { exampleWholesaler, presentWholesaler, wholesalerAnswer } from './wholesaler';

export const getWholesalerEndpoint = endpoint({
  id: 'getWholesaler',
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
