import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import { approveCornerStore } from '../use-cases/approve-corner-store';
import { cornerStoreChange } from './corner-store-details';

export const approveCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'approveCornerStore',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/approve',
  scope: 'approver',
  summary: 'Approve a corner store',
  input: ({ id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: approveCornerStore,
});
