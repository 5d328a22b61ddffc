import type { Transaction } from '@fiado/chassis/db/database';
import { isUniqueViolation } from '@fiado/chassis/db/query';
import { insertRow } from '@fiado/chassis/db/rows';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import type { PaymentProvider, ProviderSettings } from '../domain/provider-settings';
import { PURPOSE } from '../domain/sealing-purposes';
import { newSigningSecret } from '../domain/signing-secret';
import { insertApiKey, type IssuedApiKey } from './insert-api-key';

const DEFAULT_SETTINGS: ProviderSettings = {
  timeZone: 'America/Mexico_City',
  allowedAddresses: [],
  signatureRequired: false,
};

export interface NewPaymentProvider {
  by: Caller;
  name: string;
  /** Absent fields have their defaults. */
  settings: Partial<ProviderSettings>;
  /** Further details for the audit log. */
  auditDetails?: object;
}

export interface CreatedPaymentProvider {
  provider: PaymentProvider;
  key: IssuedApiKey;
  /** Shown once; null when signatures are not required. */
  signingSecret: string | null;
}

/**
 * Adds a payment provider and its first key, with a signing secret when its deposits must be signed.
 * @throws AppError PROVIDER_ALREADY_EXISTS when the name is taken
 */
export async function addPaymentProvider(
  context: Context,
  tx: Transaction,
  { by, name, settings, auditDetails = {} }: NewPaymentProvider,
): Promise<CreatedPaymentProvider> {
  const provider = { id: newId(), name, ...DEFAULT_SETTINGS, ...settings };
  const signingSecret = provider.signatureRequired ? newSigningSecret() : null;
  const sealed =
    signingSecret === null
      ? null
      : context.sealer.seal(signingSecret, PURPOSE.signingSecret, provider.id);
  try {
    await insertRow(tx, 'payment_providers', { ...provider, signingSecret: sealed });
  } catch (error) {
    if (!isUniqueViolation(error, 'payment_providers_name_key')) throw error;
    throw new AppError('PROVIDER_ALREADY_EXISTS', { cause: error });
  }
  const key = await insertApiKey(context, tx, { kind: 'provider', id: provider.id });
  await recordAudit(tx, {
    by,
    action: 'payment-provider.created',
    objectId: provider.id,
    details: auditDetails,
  });
  return { provider, key, signingSecret };
}
