import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import type { CornerStoreDetails } from '../db/corner-store-details.repository';
import { progressOf } from '../domain/onboarding';
import { changeCornerStore } from '../steps/change-corner-store';

export interface ApproveCornerStore {
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
