import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import type { Context } from '../context';
import { changedValues } from '../domain/changed-values';
import {
  isLooserProvider,
  type PaymentProvider,
  type ProviderSettings,
} from '../domain/provider-settings';
import { changePaymentProvider, requireSecretToSign } from '../steps/change-payment-provider';
import { requestChange } from '../steps/request-change';

export interface UpdatePaymentProvider {
  by: Caller;
  paymentProviderId: string;
  /** Absent fields stay unchanged. */
  changes: Partial<ProviderSettings>;
}

/**
 * Changes how a payment provider proves its calls, and its time zone. A change that accepts more calls
 * waits for a second person.
 * @throws AppError PROVIDER_NOT_FOUND, CHANGE_ALREADY_REQUESTED
 * @throws ValidationError when signatures are required of a provider without a signing secret
 */
export async function updatePaymentProvider(
  { db, config }: Context,
  { by, paymentProviderId, changes }: UpdatePaymentProvider,
): Promise<PaymentProvider | ChangeRequested> {
  return db.transaction(async (tx) => {
    let requested: ChangeRequested | undefined;
    const provider = await changePaymentProvider(tx, {
      by,
      paymentProviderId,
      decide: async (before) => {
        const isGuarded = isLooserProvider(before, changes);
        if (!isGuarded || !needsSecondPerson(config.FOUR_EYES, by)) return changes;
        requireSecretToSign(before, changes);
        requested = await requestChange(tx, {
          by,
          kind: 'payment-provider.settings',
          targetId: paymentProviderId,
          targetVersion: before.version,
          payload: changes,
          before: changedValues<Partial<ProviderSettings>>(before, changes).before,
          reason: null,
        });
        return undefined;
      },
    });
    return requested ?? provider;
  });
}
