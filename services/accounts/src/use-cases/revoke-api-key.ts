import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import { IsNull } from 'typeorm';
import type { Context } from '../context';
import { ApiKey } from '../db/api-key.entity';
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
    const { affected } = await tx.update(
      ApiKey,
      { id: apiKeyId, revokedAt: IsNull() },
      { revokedAt: () => 'now()' },
    );
    if (affected === 1) {
      await recordAudit(tx, { by, action: 'api-key.revoked', objectId: apiKeyId });
      return;
    }
    const known = await tx.existsBy(ApiKey, { id: apiKeyId });
    if (!known) throw new AppError('API_KEY_NOT_FOUND');
  });
}
