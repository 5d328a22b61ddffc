import type { Transaction } from '@fiado/chassis/db/database';
import { isUniqueViolation } from '@fiado/chassis/db/errors';
import { query } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { requestChange } from '../approvals/request-change';
import { type AuditedBy, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { insertApiKey, type IssuedApiKey } from '../keys/keys-of-party';
import { newSigningSecret } from '../keys/secrets';
import {
  exampleProvider,
  presentPaymentProvider,
  PROVIDER_GUARDS,
  providerFields,
  providerSettingsOf,
  UpdatePaymentProviderBody,
} from './payment-provider';
import type { PaymentProvider, ProviderSettings } from './provider-settings.rules';
import { PaymentProviderRow } from './payment-provider.entity';

const DEFAULT_SETTINGS: ProviderSettings = {
  timeZone: 'America/Mexico_City',
  allowedAddresses: [],
  signatureRequired: false,
};

const MAX_NAME = 100;

class CreatePaymentProviderBody extends UpdatePaymentProviderBody {
  @About('Name, unique', 'Acme')
  @IsNonEmptyText(MAX_NAME)
  name: string;
}

export const createPaymentProviderEndpoint = endpoint({
  id: 'createPaymentProvider',
  as: 'paymentProviders.create',
  once: true,
  shownOnce: ['apiKey', 'signingSecret'],
  tag: 'Ops: wholesalers',
  route: 'POST /v1/admin/payment-providers',
  scope: 'admin',
  summary: 'Create a payment provider and its first key',
  description: `${PROVIDER_GUARDS} Its secret is \`signingSecret\`, which is shown once.`,
  body: CreatePaymentProviderBody,
  bodyExample: {
    name: 'Pagos del Centro',
    allowedAddresses: ['203.0.113.0/24'],
    signatureRequired: true,
  },
  mayWait: true,
  errors: ['PROVIDER_ALREADY_EXISTS'],
  status: 201,
  answer: t.object('CreatedPaymentProvider', {
    ...providerFields,
    apiKeyId: fields.apiKeyId,
    apiKey: fields.apiKey,
    signingSecret: t.nullable(fields.signingSecret),
  }),
  example: exampleProvider,
  input: ({ body, caller: by }) => ({
    by,
    name: body.name,
    settings: providerSettingsOf(body),
    reason: body.reason ?? null,
  }),
  // A payment provider and its key, with a signing secret when its deposits must be signed. A
  // person's waits for a second one, and is made when its requester collects the key.
  handle: async (context: Context, { by, name, settings, reason }) =>
    context.db.transaction(async (tx) => {
      if (!needsSecondPerson(context.config.FOUR_EYES, by)) {
        return addPaymentProvider(context, tx, { by, name, settings });
      }
      const [taken] = await query(tx, 'SELECT FROM payment_providers WHERE name = $1', [name]);
      if (taken !== undefined) throw new AppError('PROVIDER_ALREADY_EXISTS');
      return requestChange(tx, {
        by,
        kind: 'payment-provider.create',
        payload: { name, ...settings },
        reason,
      });
    }),
  present: ({ provider, key: { apiKeyId, apiKey }, signingSecret }) => ({
    ...presentPaymentProvider(provider),
    apiKeyId,
    apiKey,
    signingSecret,
  }),
});

interface CreatedPaymentProvider {
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
  {
    by,
    name,
    settings,
    auditDetails = {},
  }: AuditedBy & { name: string; settings: Partial<ProviderSettings> },
): Promise<CreatedPaymentProvider> {
  const provider = { id: newId(), name, ...DEFAULT_SETTINGS, ...settings };
  const signingSecret = provider.signatureRequired ? newSigningSecret() : null;
  const sealed =
    signingSecret === null
      ? null
      : context.sealer.seal(signingSecret, PURPOSE.signingSecret, provider.id);
  try {
    await tx.manager.insert(PaymentProviderRow, { ...provider, signingSecret: sealed });
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
