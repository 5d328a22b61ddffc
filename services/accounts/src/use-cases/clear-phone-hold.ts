import type { Caller } from '@fiado/contracts/caller';
import type { Context } from '../context';
import type { CornerStoreDetails } from '../db/corner-store-details.repository';
import { clearPhoneHolds } from '../db/phone-changes.repository';
import { changeCornerStore } from '../steps/change-corner-store';

/**
 * Ends all phone holds of a corner store, after ops has talked to its owner. Does nothing if there
 * are none.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export function clearPhoneHold(
  context: Context,
  { by, cornerStoreId }: { by: Caller; cornerStoreId: string },
): Promise<CornerStoreDetails> {
  return changeCornerStore(context, {
    by,
    cornerStoreId,
    action: 'corner-store.phone-hold-cleared',
    decide: async (_store, tx) => ((await clearPhoneHolds(tx, cornerStoreId)) ? {} : undefined),
  });
}
