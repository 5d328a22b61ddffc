import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { Scope } from '@fiado/contracts/scopes';

/** A key of a wholesaler or a payment provider, without its hash. */
export interface IssuedKey {
  id: string;
  /** Null is all that keys of its kind may. */
  scopes: Scope[] | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Exact to a minute. */
  lastUsedAt: Date | null;
  createdAt: Date;
}

/** Whose keys, and which page of them. */
export interface KeysOfOwner {
  /** The column that names the party. */
  owner: 'wholesaler_id' | 'payment_provider_id';
  ownerId: string;
  cursor: string | undefined;
  limit: number;
}

/** The keys of one party, newest first: ids are in the order of their time. */
export function findKeysOf(
  db: Db,
  { owner, ownerId, cursor, limit }: KeysOfOwner,
): Promise<IssuedKey[]> {
  return query<IssuedKey>(
    db,
    `SELECT id, scopes, expires_at, revoked_at, last_used_at, created_at FROM api_keys
      WHERE ${owner} = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [ownerId, cursor ?? null, limit],
  );
}
