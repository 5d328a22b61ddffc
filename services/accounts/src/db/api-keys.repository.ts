import { query, type Db } from '@fiado/shared/chassis/db/query';
import type { Scope } from '@fiado/shared/contracts/scopes';

/** A live key and the party that it belongs to. */
export interface LiveKey {
  apiKeyId: string;
  kind: 'wholesaler' | 'provider';
  ownerId: string;
  ownerName: string;
  /** What it allows; null is all that keys of its kind may. */
  scopes: Scope[] | null;
  /** Only a provider's. */
  timeZone: string | null;
  /** Whether its last use is older than is worth keeping. */
  lastUseIsStale: boolean;
}

/** How exact `last_used_at` is: a busy key is written once in this time. */
const LAST_USE_SECONDS = 60;

const SELECT_LIVE_KEY = `
  SELECT k.id AS "apiKeyId", k.kind, coalesce(w.id, p.id) AS "ownerId",
         coalesce(w.name, p.name) AS "ownerName", p.time_zone AS "timeZone", k.scopes,
         k.last_used_at IS NULL
           OR k.last_used_at < now() - make_interval(secs => $2) AS "lastUseIsStale"
    FROM api_keys k
    LEFT JOIN wholesalers w ON w.id = k.wholesaler_id
    LEFT JOIN payment_providers p ON p.id = k.payment_provider_id
   WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;

/** One statement from hash to party; undefined for a key that is unknown, expired or revoked. */
export async function findLiveKeyByHash(db: Db, keyHash: Buffer): Promise<LiveKey | undefined> {
  const [key] = await query<LiveKey>(db, `${SELECT_LIVE_KEY} AND k.key_hash = $1`, [
    keyHash,
    LAST_USE_SECONDS,
  ]);
  return key;
}

/** The same for the key that an access token names. */
export async function findLiveKeyById(db: Db, apiKeyId: string): Promise<LiveKey | undefined> {
  const [key] = await query<LiveKey>(db, `${SELECT_LIVE_KEY} AND k.id = $1`, [
    apiKeyId,
    LAST_USE_SECONDS,
  ]);
  return key;
}

/** Notes a key's use, once in a while: the condition keeps parallel notes from writing twice. */
export async function noteLastUse(db: Db, apiKeyId: string): Promise<void> {
  await query(
    db,
    `UPDATE api_keys SET last_used_at = now()
      WHERE id = $1
        AND (last_used_at IS NULL OR last_used_at < now() - make_interval(secs => $2))`,
    [apiKeyId, LAST_USE_SECONDS],
  );
}
