import { IsOptional } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { Caller } from '@fiado/contracts/caller';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { progressOf } from '../onboarding/onboarding.rules';
import { changeCornerStore } from './change-corner-store';
import { cornerStoreChange } from './corner-store-details';
import type { CornerStoreDetails } from './corner-store-details.sql';

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

interface ApproveCornerStore {
  by: Caller;
  cornerStoreId: string;
  /** Why an incomplete store is approved. It stays with the store, out of the audit log. */
  reason?: string | null;
}

/**
 * Approves a corner store, whatever its status; approving it again changes nothing. A person needs a
 * reason for a store whose onboarding is incomplete.
 * @throws AppError CORNER_STORE_NOT_FOUND, REASON_REQUIRED
 */
export function approveCornerStore(
  context: Context,
  { by, cornerStoreId, reason = null }: ApproveCornerStore,
): Promise<CornerStoreDetails> {
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.approved',
    decide: ({ status, onboardingSteps }) => {
      if (status === 'approved') return undefined;
      const isComplete = progressOf(onboardingSteps).missingSteps.length === 0;
      if (by.staff !== undefined && !isComplete && reason === null) {
        throw new AppError('REASON_REQUIRED');
      }
      return { status: 'approved', rejectionReason: null, approvalReason: reason };
    },
  });
}
