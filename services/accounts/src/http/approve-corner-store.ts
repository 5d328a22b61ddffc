import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import { approveCornerStore } from '../use-cases/approve-corner-store';
import {
  cornerStoreDetails,
  exampleDetails,
  presentCornerStoreDetails,
} from './corner-store-details';

export const approveCornerStoreEndpoint = endpoint({
  id: 'approveCornerStore',
  tag: 'Ops: corner stores',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/approve',
  scope: 'approver',
  summary: 'Approve a corner store',
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: cornerStoreDetails,
  example: { ...exampleDetails, status: 'approved' },
  input: ({ id, caller: by }) => ({
    by,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: approveCornerStore,
  present: presentCornerStoreDetails,
});
