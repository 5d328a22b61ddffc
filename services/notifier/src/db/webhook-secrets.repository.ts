import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryNamed } from '@fiado/chassis/db/query';
import type { SignatureKind } from '../domain/webhook-signature';

export interface SealedSecret {
  id: string;
  endpointId: string;
  kind: SignatureKind;
  sealed: Buffer;
  publicKey: string | null;
}

/** The secrets that sign for these endpoints now, the newest of each first. */
export function findSecrets(db: Db, endpointIds: string[]): Promise<SealedSecret[]> {
  return queryNamed<SealedSecret>(
    db,
    'find-webhook-secrets',
    `SELECT id, endpoint_id, kind, sealed, public_key
       FROM webhook_secrets
      WHERE endpoint_id = ANY ($1) AND (expires_at IS NULL OR expires_at > now())
      ORDER BY kind, created_at DESC, id DESC`,
    [endpointIds],
  );
}

/** Lets the current secrets sign for some hours more; what they have replaced ends now. */
export async function expireSecrets(
  tx: Transaction,
  endpointId: string,
  hours: number,
): Promise<void> {
  await query(
    tx,
    `DELETE FROM webhook_secrets
      WHERE endpoint_id = $1 AND (expires_at IS NOT NULL OR $2::integer = 0)`,
    [endpointId, hours],
  );
  await query(
    tx,
    `UPDATE webhook_secrets SET expires_at = now() + make_interval(hours => $2)
      WHERE endpoint_id = $1`,
    [endpointId, hours],
  );
}
