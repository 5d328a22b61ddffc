import type { Caller } from '@fiado/shared/contracts/caller';
import { appendToOutbox } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { cornerStoreDetails, type CornerStoreDetails } from '../db/corner-store-details.repository';
import { lockCornerStore, raiseVersion } from '../db/corner-stores.repository';
import { clearPhoneHolds } from '../db/phone-changes.repository';
import { cornerStoreEvents } from '../steps/announce-changes';

/**
 * Ends all phone holds of a corner store, after ops has talked to its owner. Does nothing if there
 * are none.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function clearPhoneHold(
  context: Context,
  { by, cornerStoreId }: { by: Caller; cornerStoreId: string },
): Promise<CornerStoreDetails> {
  const details = await context.db.transaction(async (tx) => {
    if (!(await lockCornerStore(tx, cornerStoreId))) throw new AppError('CORNER_STORE_NOT_FOUND');
    if (await clearPhoneHolds(tx, cornerStoreId)) {
      await raiseVersion(tx, cornerStoreId);
      await appendToOutbox(tx, await cornerStoreEvents(tx, [cornerStoreId]));
      const action = 'corner-store.phone-hold-cleared';
      await recordAudit(tx, { by, action, objectId: cornerStoreId });
    }
    return cornerStoreDetails(tx, cornerStoreId);
  });
  context.relay.wake();
  return details;
}
