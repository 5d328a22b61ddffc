import { rowExists } from '@fiado/shared/chassis/db/rows';
import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import {
  insertApiKey,
  type IssuedApiKey,
  type KeyOwner,
  type KeyTerms,
} from '../steps/insert-api-key';

/**
 * One more key for a wholesaler or a payment provider; the others stay valid, for rotation.
 * @throws AppError WHOLESALER_NOT_FOUND, PROVIDER_NOT_FOUND
 */
export async function issueApiKey(
  context: Context,
  { by, owner, terms }: { by: Caller; owner: KeyOwner; terms: KeyTerms },
): Promise<IssuedApiKey> {
  return context.db.transaction(async (tx) => {
    if (owner.kind === 'wholesaler') {
      const known = await rowExists(tx, 'wholesalers', owner.id);
      if (!known) throw new AppError('WHOLESALER_NOT_FOUND');
    } else {
      const known = await rowExists(tx, 'payment_providers', owner.id);
      if (!known) throw new AppError('PROVIDER_NOT_FOUND');
    }
    const key = await insertApiKey(context, tx, owner, terms);
    await recordAudit(tx, {
      by,
      action: 'api-key.issued',
      objectId: owner.id,
      details: { apiKeyId: key.apiKeyId, ...terms },
    });
    return key;
  });
}
