import type { Transaction } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { updateRow } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { recordAudit } from '../db/audit-log.repository';
import { changedValues } from '../domain/changed-values';
import type { PaymentProvider, ProviderSettings } from '../domain/provider-settings';
import { endWaitingChanges } from './end-waiting-changes';

/** A payment provider that this transaction has locked. */
export type LockedProvider = PaymentProvider & { version: number; signingSecret: Buffer | null };

export interface ChangePaymentProvider {
  by: Pick<Caller, 'kind' | 'id'>;
  paymentProviderId: string;
  /** Decides on the locked provider; undefined leaves it unchanged. */
  decide: (
    provider: LockedProvider,
  ) => Partial<ProviderSettings> | undefined | Promise<Partial<ProviderSettings> | undefined>;
  /** Further details for the audit log. */
  auditDetails?: object;
}

/**
 * Changes a payment provider: locks it, decides, writes and audits. Changes of it that wait for a second
 * person are over.
 * @throws AppError PROVIDER_NOT_FOUND
 * @throws ValidationError when signatures are required of a provider without a signing secret
 */
export async function changePaymentProvider(
  tx: Transaction,
  { by, paymentProviderId, decide, auditDetails = {} }: ChangePaymentProvider,
): Promise<PaymentProvider> {
  const provider = await queryRow<LockedProvider>(
    tx,
    'SELECT * FROM payment_providers WHERE id = $1 FOR NO KEY UPDATE',
    [paymentProviderId],
  );
  if (provider === undefined) throw new AppError('PROVIDER_NOT_FOUND');
  const changes = await decide(provider);
  if (changes === undefined) return provider;
  requireSecretToSign(provider, changes);
  const version = provider.version + 1;
  await updateRow(tx, 'payment_providers', paymentProviderId, { ...changes, version });
  await endWaitingChanges(tx, {
    by,
    kind: 'payment-provider.settings',
    targetId: paymentProviderId,
  });
  await recordAudit(tx, {
    by,
    action: 'payment-provider.changed',
    objectId: paymentProviderId,
    details: { ...changedValues<Partial<ProviderSettings>>(provider, changes), ...auditDetails },
  });
  return { ...provider, ...changes };
}

/** @throws ValidationError when signatures are required of a provider without a signing secret */
export function requireSecretToSign(
  { signingSecret }: LockedProvider,
  { signatureRequired }: Partial<ProviderSettings>,
): void {
  if (signatureRequired === true && signingSecret === null) {
    throw new ValidationError(['signatureRequired needs a signing secret; issue one first']);
  }
}
