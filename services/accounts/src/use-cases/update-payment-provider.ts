import { query } from '@fiado/shared/chassis/db/query';
import { updateRow } from '@fiado/shared/chassis/db/rows';
import type { Caller } from '@fiado/shared/contracts/caller';
import { AppError, ValidationError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { changedValues } from '../domain/changed-values';
import type { PaymentProvider, ProviderSettings } from '../domain/provider-settings';

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
    const [provider] = await query<PaymentProvider & { signingSecret: Buffer | null }>(
      tx,
      'SELECT * FROM payment_providers WHERE id = $1 FOR NO KEY UPDATE',
      [paymentProviderId],
    );
    if (provider === undefined) throw new AppError('PROVIDER_NOT_FOUND');
    if (changes.signatureRequired === true && provider.signingSecret === null) {
      throw new ValidationError(['signatureRequired needs a signing secret; issue one first']);
    }
    await updateRow(tx, 'payment_providers', paymentProviderId, changes);
    await recordAudit(tx, {
      by,
      action: 'payment-provider.changed',
      objectId: paymentProviderId,
      details: changedValues(provider, changes),
    });
    return { ...provider, ...changes };
  });
}
