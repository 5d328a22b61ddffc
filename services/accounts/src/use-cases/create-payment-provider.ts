import type { Caller } from '@fiado/shared/contracts/caller';
import { isUniqueViolation } from '@fiado/shared/chassis/db/query';
import { insertRow } from '@fiado/shared/chassis/db/rows';
import { AppError } from '@fiado/shared/contracts/errors';
import { newId } from '@fiado/shared/new-id';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import type { PaymentProvider, ProviderSettings } from '../domain/provider-settings';
import { PURPOSE } from '../domain/sealing-purposes';
import { newSigningSecret } from '../domain/signing-secret';
import { insertApiKey, type IssuedApiKey } from '../steps/insert-api-key';

const DEFAULT_SETTINGS: ProviderSettings = {
  timeZone: 'America/Mexico_City',
  allowedAddresses: [],
  signatureRequired: false,
};

export interface CreatedPaymentProvider {
  provider: PaymentProvider;
  key: IssuedApiKey;
  /** Shown once; null when signatures are not required. */
  signingSecret: string | null;
}

/**
 * A payment provider and its key, with a signing secret when its deposits must be signed.
 * @throws AppError PROVIDER_ALREADY_EXISTS when the name is taken
 */
export async function createPaymentProvider(
  context: Context,
  { by, name, settings }: { by: Caller; name: string; settings: Partial<ProviderSettings> },
): Promise<CreatedPaymentProvider> {
  const provider = { id: newId(), name, ...DEFAULT_SETTINGS, ...settings };
  const signingSecret = provider.signatureRequired ? newSigningSecret() : null;
  try {
    return await context.db.transaction(async (tx) => {
      await insertRow(tx, 'payment_providers', {
        ...provider,
        signingSecret:
          signingSecret === null
            ? null
            : context.sealer.seal(signingSecret, PURPOSE.signingSecret, provider.id),
      });
      const key = await insertApiKey(context, tx, { kind: 'provider', id: provider.id });
      await recordAudit(tx, { by, action: 'payment-provider.created', objectId: provider.id });
      return { provider, key, signingSecret };
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'payment_providers_name_key')) throw error;
    throw new AppError('PROVIDER_ALREADY_EXISTS', { cause: error });
  }
}
