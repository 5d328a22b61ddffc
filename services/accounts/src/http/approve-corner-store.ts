import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { IsOptional } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { approveCornerStore } from '../use-cases/approve-corner-store';
import { cornerStoreChange } from './corner-store-details';

const MAX_REASON = 500;

class ApproveCornerStoreBody {
  /** Why an incomplete store is approved. */
  @IsOptional()
  @IsNonEmptyText(MAX_REASON)
  reason?: string;
}

export const approveCornerStoreEndpoint = endpoint({
  ...cornerStoreChange,
  id: 'approveCornerStore',
  route: 'POST /v1/admin/corner-stores/:cornerStoreId/approve',
  scope: 'approver',
  summary: 'Approve a corner store',
  description: 'A person needs a `reason` for a store whose onboarding is incomplete.',
  body: ApproveCornerStoreBody,
  bodyOptional: true,
  bodyExample: { reason: 'Visited on 3 October; the papers follow' },
  errors: ['CORNER_STORE_NOT_FOUND', 'REASON_REQUIRED'],
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason ?? null,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  handle: approveCornerStore,
});
