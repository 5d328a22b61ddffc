import type { Caller } from '@fiado/contracts/caller';
import type { Context } from '../context';
import type { CornerStoreDetails } from '../db/corner-store-details.repository';
import { changeCornerStore } from '../steps/change-corner-store';

/**
 * Sends a corner store back to the beginning, without credit. The reason stays with
 * the store and out of the audit log, which cannot forget what someone wrote about a person.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export function rejectCornerStore(
  context: Context,
  { by, cornerStoreId, reason }: { by: Caller; cornerStoreId: string; reason: string },
): Promise<CornerStoreDetails> {
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.rejected',
    decide: ({ onboardingSteps }) => ({
      status: 'pre-approved',
      creditLimitCents: 0,
      rejectionReason: reason,
      approvalReason: null,
      // Its images stay; the store has to be submitted again.
      onboardingSteps: onboardingSteps.filter((step) => step !== 'COMPLETED'),
    }),
  });
}
