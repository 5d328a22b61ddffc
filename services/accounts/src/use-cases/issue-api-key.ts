import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { rowExists } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { addApiKey } from '../steps/add-api-key';
import type { IssuedApiKey, KeyOwner, KeyTerms } from '../steps/insert-api-key';
import { requestChange } from '../steps/request-change';

/**
 * One more key for a wholesaler or a payment provider; the others stay valid, for rotation. A
 * person's request waits for a second one.
 * @throws AppError WHOLESALER_NOT_FOUND, PROVIDER_NOT_FOUND
 */
export async function issueApiKey(
  context: Context,
  { by, owner, terms }: { by: Caller; owner: KeyOwner; terms: KeyTerms },
): Promise<IssuedApiKey | ChangeRequested> {
  return context.db.transaction(async (tx) => {
    if (owner.kind === 'wholesaler') {
      const known = await rowExists(tx, 'wholesalers', owner.id);
      if (!known) throw new AppError('WHOLESALER_NOT_FOUND');
    } else {
      const known = await rowExists(tx, 'payment_providers', owner.id);
      if (!known) throw new AppError('PROVIDER_NOT_FOUND');
    }
    if (!needsSecondPerson(context.config.FOUR_EYES, by)) {
      return addApiKey(context, tx, { by, owner, terms });
    }
    return requestChange(tx, {
      by,
      kind: owner.kind === 'wholesaler' ? 'wholesaler-key.issue' : 'provider-key.issue',
      targetId: owner.id,
      targetVersion: null,
      payload: terms,
      before: {},
      reason: null,
    });
  });
}
