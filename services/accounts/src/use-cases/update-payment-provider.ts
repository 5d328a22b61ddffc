import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError, ValidationError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { PaymentProvider, type ProviderSettings } from '../db/payment-provider.entity';

export interface UpdatePaymentProvider {
  by: Caller;
  paymentProviderId: string;
  /** Absent fields stay unchanged. */
  changes: Partial<ProviderSettings>;
}

/**
 * Changes how a payment provider proves its calls, and its time zone.
 * @throws AppError PROVIDER_NOT_FOUND
 * @throws ValidationError when signatures are required of a provider without a signing secret
 */
export async function updatePaymentProvider(
  { db }: Context,
  { by, paymentProviderId, changes }: UpdatePaymentProvider,
): Promise<PaymentProvider> {
  return db.transaction(async (tx) => {
    const provider = await tx.findOne(PaymentProvider, {
      where: { id: paymentProviderId },
      lock: { mode: 'for_no_key_update' },
    });
    if (provider === null) throw new AppError('PROVIDER_NOT_FOUND');
    if (changes.signatureRequired === true && provider.signingSecret === null) {
      throw new ValidationError(['signatureRequired needs a signing secret; issue one first']);
    }
    if (Object.keys(changes).length > 0) await tx.update(PaymentProvider, provider.id, changes);
    await recordAudit(tx, {
      by,
      action: 'payment-provider.changed',
      objectId: paymentProviderId,
      details: changes,
    });
    return Object.assign(provider, changes);
  });
}
