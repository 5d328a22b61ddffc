import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { rejectCornerStore } from '../use-cases/reject-corner-store';
import { cornerStoreChange, exampleDetails } from './corner-store-details';

const MAX_REASON = 1000;

class RejectCornerStoreBody {
  @IsNonEmptyText(MAX_REASON)
  reason: string;
}

export const rejectCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'rejectCornerStore',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/reject',
  scope: 'approver',
  summary: 'Reject a corner store, with a reason',
  body: RejectCornerStoreBody,
  bodyExample: { reason: 'The document cannot be read' },
  example: {
    ...exampleDetails,
    status: 'pre-approved',
    creditLimit: 0,
    rejectionReason: 'The document cannot be read',
  },
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: rejectCornerStore,
});
