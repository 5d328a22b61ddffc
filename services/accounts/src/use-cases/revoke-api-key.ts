import { query } from '@fiado/shared/chassis/db/query';
import { rowExists } from '@fiado/shared/chassis/db/rows';
import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';

/**
 * Ends a key for good; revoking it again changes nothing.
 * @throws AppError API_KEY_NOT_FOUND
 */
export async function revokeApiKey(
  context: Context,
  { by, apiKeyId }: { by: Caller; apiKeyId: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const revoked = await query(
      tx,
      'UPDATE api_keys SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
      [apiKeyId],
    );
    if (revoked.length === 1) {
      await recordAudit(tx, { by, action: 'api-key.revoked', objectId: apiKeyId });
      return;
    }
    if (!(await rowExists(tx, 'api_keys', apiKeyId))) throw new AppError('API_KEY_NOT_FOUND');
  });
}
