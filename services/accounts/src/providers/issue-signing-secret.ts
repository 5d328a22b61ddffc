import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { AskedReasonBody } from '@fiado/contracts/reason-body';
import { requestChange } from '../approvals/request-change';
import { type AuditedBy, recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { requireParty } from '../keys/keys-of-party';
import { newSigningSecret } from '../keys/secrets';

/** Time for a provider to put the new secret into all its processes. */
const PREVIOUS_SECRET_HOURS = 24;

export const issueSigningSecretEndpoint = endpoint({
  id: 'issueSigningSecret',
  as: 'paymentProviders.issueSigningSecret',
  once: true,
  shownOnce: ['signingSecret'],
  tag: 'Credentials',
  route: 'POST /v1/admin/payment-providers/:paymentProviderId/signing-secrets',
  scope: 'admin',
  summary: 'Issue a signing secret of a payment provider',
  description:
    'Shown once. The previous secret stays valid for 24 hours; issue two secrets to end it at once.',
  body: AskedReasonBody,
  bodyOptional: true,
  bodyExample: { reason: 'The provider rotates its secrets each year' },
  mayWait: true,
  errors: ['PROVIDER_NOT_FOUND'],
  status: 201,
  answer: t.object('SigningSecret', { signingSecret: fields.signingSecret }),
  input: ({ body, id, caller: by }) => ({
    by,
    reason: body.reason ?? null,
    paymentProviderId: id('paymentProviderId', 'PROVIDER_NOT_FOUND'),
  }),
  // A new signing secret of a payment provider, shown once. A person's request waits for a second
  // one.
  handle: async (context: Context, { by, reason, paymentProviderId }) =>
    context.db.transaction(async (tx) => {
      if (!needsSecondPerson(context.config.FOUR_EYES, by)) {
        return addSigningSecret(context, tx, { by, paymentProviderId });
      }
      await requireParty(tx, { kind: 'provider', id: paymentProviderId });
      return requestChange(tx, {
        by,
        kind: 'provider-secret.issue',
        targetId: paymentProviderId,
        payload: {},
        reason,
      });
    }),
  present: (signingSecret) => ({ signingSecret }),
});

/**
 * Gives a payment provider a new signing secret. The one before it stays valid for 24 hours, and the one
 * before that ends at once.
 * @throws AppError PROVIDER_NOT_FOUND
 */
export async function addSigningSecret(
  { sealer }: Context,
  tx: Transaction,
  { by, paymentProviderId, auditDetails = {} }: AuditedBy & { paymentProviderId: string },
): Promise<string> {
  const signingSecret = newSigningSecret();
  const sealed = sealer.seal(signingSecret, PURPOSE.signingSecret, paymentProviderId);
  const issued = await query(
    tx,
    `UPDATE payment_providers
        SET previous_signing_secret = signing_secret,
            previous_secret_until = now() + make_interval(hours => $3), signing_secret = $2
      WHERE id = $1 RETURNING id`,
    [paymentProviderId, sealed, PREVIOUS_SECRET_HOURS],
  );
  if (issued.length === 0) throw new AppError('PROVIDER_NOT_FOUND');
  await recordAudit(tx, {
    by,
    action: 'payment-provider.signing-secret-issued',
    objectId: paymentProviderId,
    details: auditDetails,
  });
  return signingSecret;
}
