import type { CornerStoreSnapshot, Versioned } from '@fiado/contracts/corner-store';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import type { Context } from '../context';
import { recordCornerStore } from '../db/credit-terms.repository';

/**
 * Stores the snapshot of a corner store from accounts, unless a newer one is stored. Its phone may be
 * sealed with an older key, because a job may wait for weeks: it is stored with the newest.
 * @throws AppError SERVICE_UNAVAILABLE when this process has not read the key yet
 */
export async function keepCornerStore(
  { db, sealer }: Context,
  { version, snapshot }: Versioned<CornerStoreSnapshot>,
): Promise<void> {
  const { phoneSealed, cornerStoreId } = snapshot;
  const anew = sealer.sealAnew(Buffer.from(phoneSealed, 'base64'), PHONE_PURPOSE, cornerStoreId);
  await recordCornerStore(db, {
    version,
    snapshot: Object.assign({}, snapshot, {
      phoneSealed: anew?.toString('base64') ?? phoneSealed,
    }),
  });
}
