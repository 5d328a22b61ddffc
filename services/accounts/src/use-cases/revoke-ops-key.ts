import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import { IsNull } from 'typeorm';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { OpsKey } from '../db/ops-key.entity';

/**
 * Ends an ops key for good, with its access tokens; revoking it again changes nothing.
 * @throws AppError OPS_KEY_NOT_FOUND
 */
export async function revokeOpsKey(
  { db }: Context,
  { by, opsKeyId }: { by: Caller; opsKeyId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { affected } = await tx.update(
      OpsKey,
      { id: opsKeyId, revokedAt: IsNull() },
      { revokedAt: () => 'now()' },
    );
    if (affected === 1) {
      await recordAudit(tx, { by, action: 'ops-key.revoked', objectId: opsKeyId });
      return;
    }
    const known = await tx.existsBy(OpsKey, { id: opsKeyId });
    if (!known) throw new AppError('OPS_KEY_NOT_FOUND');
  });
}
