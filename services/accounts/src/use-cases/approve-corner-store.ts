import type { Caller } from '@fiado/shared/contracts/caller';
import type { Context } from '../context';
import type { CornerStoreDetails } from '../db/corner-store-details.repository';
import { changeCornerStore } from '../steps/change-corner-store';

/**
 * Approves a corner store, whatever its status; approving it again changes nothing.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export function approveCornerStore(
  context: Context,
  { by, cornerStoreId }: { by: Caller; cornerStoreId: string },
): Promise<CornerStoreDetails> {
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.approved',
    decide: ({ status }) =>
      status === 'approved' ? undefined : { status: 'approved', rejectionReason: null },
  });
}
