import { isUUID } from 'class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { OpsScope, Scope } from '@fiado/contracts/caller';

/** A key and the party that it belongs to. */
export interface KnownKey {
  apiKeyId: string;
  kind: 'wholesaler' | 'provider' | 'ops';
  /** An ops key is a party of its own. */
  ownerId: string;
  ownerName: string;
  /** What it allows; null is all that keys of its kind may. */
  scopes: Scope[] | null;
  /** Only an ops key's. */
  opsScope: OpsScope | null;
  /** Only a provider's, as are the next three. */
  timeZone: string | null;
  allowedAddresses: string[] | null;
  signatureRequired: boolean | null;
  /** Sealed: the newest one, and the one before it while it is valid. */
  signingSecrets: Buffer[];
  /** Neither revoked nor expired. */
  isLive: boolean;
  /** Whether its last use is older than is worth keeping. */
  lastUseIsStale: boolean;
}

/** Precision of `last_used_at`: a busy key is updated once in this time. */
const LAST_USE_SECONDS = 60;

const LAST_USE_IS_STALE = `k.last_used_at IS NULL
  OR k.last_used_at < now() - make_interval(secs => $2)`;

/** Reads the key with that hash or id, of any owner. */
function selectKey(column: 'key_hash' | 'id'): string {
  return `
  SELECT k.id AS "apiKeyId", k.kind, coalesce(w.id, p.id) AS "ownerId",
         coalesce(w.name, p.name) AS "ownerName", p.time_zone, k.scopes, p.allowed_addresses,
         p.signature_required,
         array_remove(ARRAY[p.signing_secret, CASE WHEN p.previous_secret_until > now()
           THEN p.previous_signing_secret END], NULL) AS "signingSecrets",
         NULL AS "opsScope",
         k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AS "isLive",
         ${LAST_USE_IS_STALE} AS "lastUseIsStale"
    FROM api_keys k
    LEFT JOIN wholesalers w ON w.id = k.wholesaler_id
    LEFT JOIN payment_providers p ON p.id = k.payment_provider_id
   WHERE k.${column} = $1
   UNION ALL
  SELECT k.id, 'ops', k.id, k.name, NULL, NULL, NULL, NULL, '{}', k.scope,
         k.revoked_at IS NULL AND k.expires_at > now(), ${LAST_USE_IS_STALE}
    FROM ops_keys k
   WHERE k.${column} = $1`;
}

const SELECT_BY_HASH = selectKey('key_hash');
const SELECT_BY_ID = selectKey('id');

/** One statement from hash to party. @returns undefined for a key that was never issued */
export function findKeyByHash(db: Db, keyHash: Buffer): Promise<KnownKey | undefined> {
  return queryRow<KnownKey>(db, SELECT_BY_HASH, [keyHash, LAST_USE_SECONDS]);
}

/** The same for the key that an access token names; a replaced OPS_API_KEY has no row. */
export async function findKeyById(db: Db, apiKeyId: string): Promise<KnownKey | undefined> {
  if (!isUUID(apiKeyId)) return undefined;
  return queryRow<KnownKey>(db, SELECT_BY_ID, [apiKeyId, LAST_USE_SECONDS]);
}

/** Records the last use of a key at most once a minute; the condition prevents parallel updates. */
export async function noteLastUse(db: Db, { apiKeyId, kind }: KnownKey): Promise<void> {
  await query(
    db,
    `UPDATE ${kind === 'ops' ? 'ops_keys' : 'api_keys'} SET last_used_at = now()
      WHERE id = $1
        AND (last_used_at IS NULL OR last_used_at < now() - make_interval(secs => $2))`,
    [apiKeyId, LAST_USE_SECONDS],
  );
}
