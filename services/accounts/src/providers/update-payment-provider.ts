import type { Transaction } from '@fiado/chassis/db/database';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { endWaitingChanges, requestChange } from '../approvals/request-change';
import { type AuditedBy, changedValues, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import {
  exampleProvider,
  presentPaymentProvider,
  PROVIDER_GUARDS,
  providerAnswer,
  providerSettingsOf,
  UpdatePaymentProviderBody,
} from './payment-provider';
import {
  isLooserProvider,
  type PaymentProvider,
  type ProviderSettings,
} from './provider-settings.rules';
import { PaymentProviderRow } from './payment-provider.entity';

export const updatePaymentProviderEndpoint = endpoint({
  id: 'updatePaymentProvider',
  as: 'paymentProviders.update',
  tag: 'Ops: wholesalers',
  route: 'PUT /v1/admin/payment-providers/:paymentProviderId',
  scope: 'admin',
  summary: 'Change the settings of a payment provider',
  description:
    `Omitted fields keep their value. ${PROVIDER_GUARDS} It is refused (400) before a secret is ` +
    'issued. Takes effect everywhere within 5 seconds.',
  body: UpdatePaymentProviderBody,
  bodyExample: { allowedAddresses: ['203.0.113.0/24'], signatureRequired: true },
  mayWait: true,
  errors: ['PROVIDER_NOT_FOUND', 'CHANGE_ALREADY_REQUESTED'],
  answer: providerAnswer,
  example: exampleProvider,
  input: ({ body, id, caller: by }) => ({
    by,
    changes: providerSettingsOf(body),
    reason: body.reason ?? null,
    paymentProviderId: id('paymentProviderId', 'PROVIDER_NOT_FOUND'),
  }),
  // Changes how a payment provider proves its calls, and its time zone. A change that accepts more
  // calls waits for a second person.
  handle: async ({ db, config }: Context, { by, paymentProviderId, changes, reason }) =>
    db.transaction((tx) =>
      changePaymentProvider(tx, {
        by,
        paymentProviderId,
        decide: async (before) => {
          const isGuarded = isLooserProvider(before, changes);
          if (!isGuarded || !needsSecondPerson(config.FOUR_EYES, by)) return changes;
          requireSecretToSign(before, changes);
          return requestChange(tx, {
            by,
            kind: 'payment-provider.settings',
            targetId: paymentProviderId,
            targetVersion: before.version,
            payload: changes,
            before: changedValues<Partial<ProviderSettings>>(before, changes).before,
            reason,
          });
        },
      }),
    ),
  present: presentPaymentProvider,
});

type Decision = Partial<ProviderSettings> | ChangeRequested | undefined;

interface ChangePaymentProvider extends AuditedBy {
  paymentProviderId: string;
  /** Decides on the locked provider; undefined and a change that waits leave it unchanged. */
  decide: (provider: PaymentProviderRow) => Decision | Promise<Decision>;
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
): Promise<PaymentProvider | ChangeRequested> {
  const provider = await tx.manager.findOne(PaymentProviderRow, {
    where: { id: paymentProviderId },
    lock: { mode: 'for_no_key_update' },
  });
  if (provider === null) throw new AppError('PROVIDER_NOT_FOUND');
  const changes = await decide(provider);
  if (changes === undefined) return provider;
  if (changes instanceof ChangeRequested) return changes;
  requireSecretToSign(provider, changes);
  const version = provider.version + 1;
  await tx.manager.update(PaymentProviderRow, paymentProviderId, { ...changes, version });
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
  const { id, name, timeZone, allowedAddresses, signatureRequired } = provider;
  return { id, name, timeZone, allowedAddresses, signatureRequired, ...changes };
}

/** @throws ValidationError when signatures are required of a provider without a signing secret */
function requireSecretToSign(
  { signingSecret }: PaymentProviderRow,
  { signatureRequired }: Partial<ProviderSettings>,
): void {
  if (signatureRequired === true && signingSecret === null) {
    throw new ValidationError(['signatureRequired needs a signing secret; issue one first']);
  }
}
