import { isUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { inAskedOrder, queryNamed } from '@fiado/chassis/db/query';
import type { OpsScope, Scope } from '@fiado/contracts/caller';

/** A key and the party that it belongs to. */
export interface KnownKey {
  apiKeyId: string;
  kind: 'wholesaler' | 'provider' | 'ops';
  /** An ops key is a party of its own. */
  ownerId: string;
  ownerName: string;
  /** Its scopes; null is all scopes of its kind. */
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
export const LAST_USE_SECONDS = 60;

const LAST_USE_IS_STALE = `k.last_used_at IS NULL
  OR k.last_used_at < now() - make_interval(secs => $2)`;

/** Reads the keys of parameter $1, hashes or ids, of any owner. */
function selectKeys(column: 'key_hash' | 'id', type: 'bytea' | 'uuid'): string {
  return `
  SELECT asked.at, key.*
    FROM unnest($1::${type}[]) WITH ORDINALITY AS asked(value, at),
         LATERAL (
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
   WHERE k.${column} = asked.value
   UNION ALL
  SELECT k.id, 'ops', k.id, k.name, NULL, NULL, NULL, NULL, '{}', k.scope,
         k.revoked_at IS NULL AND k.expires_at > now(), ${LAST_USE_IS_STALE}
    FROM ops_keys k
   WHERE k.${column} = asked.value
  -- Each key is looked up by itself, where a join would read whole tables.
  OFFSET 0) key`;
}

const SELECT_BY_HASH = selectKeys('key_hash', 'bytea');

const SELECT_BY_ID = selectKeys('id', 'uuid');

/** The keys with these hashes, in their order; undefined where there is none. */
export function findKeysByHash(db: Db, hashes: Buffer[]): Promise<Array<KnownKey | undefined>> {
  return findKeys(db, 'find-keys-by-hash', SELECT_BY_HASH, hashes);
}

/** The same for keys that access tokens name; a replaced OPS_API_KEY has no row. */
export function findKeysById(db: Db, ids: string[]): Promise<Array<KnownKey | undefined>> {
  // The id of an OPS_API_KEY is a fingerprint, not a UUID.
  return findKeys(
    db,
    'find-keys-by-id',
    SELECT_BY_ID,
    ids.map((id) => (isUUID(id) ? id : null)),
  );
}

async function findKeys(
  db: Db,
  name: string,
  statement: string,
  asked: Array<Buffer | string | null>,
): Promise<Array<KnownKey | undefined>> {
  const rows = await queryNamed<KnownKey & { at: number }>(db, name, statement, [
    asked,
    LAST_USE_SECONDS,
  ]);
  return inAskedOrder(asked, rows);
}
