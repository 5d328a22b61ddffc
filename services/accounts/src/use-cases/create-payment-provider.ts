import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { query } from '@fiado/chassis/db/query';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import type { ProviderSettings } from '../domain/provider-settings';
import { addPaymentProvider, type CreatedPaymentProvider } from '../steps/add-payment-provider';
import { requestChange } from '../steps/request-change';

/**
 * A payment provider and its key, with a signing secret when its deposits must be signed. A person's
 * waits for a second one, and is made when its requester collects the key.
 * @throws AppError PROVIDER_ALREADY_EXISTS when the name is taken
 */
export async function createPaymentProvider(
  context: Context,
  { by, name, settings }: { by: Caller; name: string; settings: Partial<ProviderSettings> },
): Promise<CreatedPaymentProvider | ChangeRequested> {
  return context.db.transaction(async (tx) => {
    if (!needsSecondPerson(context.config.FOUR_EYES, by)) {
      return addPaymentProvider(context, tx, { by, name, settings });
    }
    const [taken] = await query(tx, 'SELECT FROM payment_providers WHERE name = $1', [name]);
    if (taken !== undefined) throw new AppError('PROVIDER_ALREADY_EXISTS');
    return requestChange(tx, {
      by,
      kind: 'payment-provider.create',
      targetId: null,
      targetVersion: null,
      payload: { name, ...settings },
      before: {},
      reason: null,
    });
  });
}
