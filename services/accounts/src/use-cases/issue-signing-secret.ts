import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { rowExists } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { addSigningSecret } from '../steps/add-signing-secret';
import { requestChange } from '../steps/request-change';

/**
 * A new signing secret of a payment provider, shown once. A person's request waits for a second one.
 * @throws AppError PROVIDER_NOT_FOUND
 */
export async function issueSigningSecret(
  context: Context,
  { by, paymentProviderId }: { by: Caller; paymentProviderId: string },
): Promise<string | ChangeRequested> {
  return context.db.transaction(async (tx) => {
    if (!needsSecondPerson(context.config.FOUR_EYES, by)) {
      return addSigningSecret(context, tx, { by, paymentProviderId });
    }
    if (!(await rowExists(tx, 'payment_providers', paymentProviderId))) {
      throw new AppError('PROVIDER_NOT_FOUND');
    }
    return requestChange(tx, {
      by,
      kind: 'provider-secret.issue',
      targetId: paymentProviderId,
      targetVersion: null,
      payload: {},
      before: {},
      reason: null,
    });
  });
}
