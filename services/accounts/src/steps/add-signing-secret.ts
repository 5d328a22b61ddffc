import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { recordAudit } from '../db/audit-log.repository';
import { PURPOSE } from '../domain/sealing-purposes';
import { newSigningSecret } from '../domain/signing-secret';

/** Time for a provider to put the new secret into all its processes. */
const PREVIOUS_SECRET_HOURS = 24;

export interface NewSigningSecret {
  by: Caller;
  paymentProviderId: string;
  /** Further details for the audit log. */
  auditDetails?: object;
}

/**
 * Gives a payment provider a new signing secret. The one before it stays valid for 24 hours, and the one
 * before that ends at once.
 * @throws AppError PROVIDER_NOT_FOUND
 */
export async function addSigningSecret(
  { sealer }: Context,
  tx: Transaction,
  { by, paymentProviderId, auditDetails = {} }: NewSigningSecret,
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
