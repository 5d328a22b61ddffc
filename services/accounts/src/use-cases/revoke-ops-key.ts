import { query } from '@fiado/shared/chassis/db/query';
import { rowExists } from '@fiado/shared/chassis/db/rows';
import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';

/**
 * Ends an ops key for good, with its access tokens; revoking it again changes nothing.
 * @throws AppError OPS_KEY_NOT_FOUND
 */
export async function revokeOpsKey(
  { db }: Context,
  { by, opsKeyId }: { by: Caller; opsKeyId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const revoked = await query(
      tx,
      'UPDATE ops_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
      [opsKeyId],
    );
    if (revoked.length === 1) {
      await recordAudit(tx, { by, action: 'ops-key.revoked', objectId: opsKeyId });
      return;
    }
    if (!(await rowExists(tx, 'ops_keys', opsKeyId))) throw new AppError('OPS_KEY_NOT_FOUND');
  });
}
