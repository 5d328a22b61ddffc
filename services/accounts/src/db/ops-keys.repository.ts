import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { OpsScope } from '@fiado/contracts/scopes';

/** A named credential of the lender's ops people. */
export interface OpsKey {
  id: string;
  /** The person or the machine that uses it. */
  name: string;
  scope: OpsScope;
  expiresAt: Date;
  revokedAt: Date | null;
  /** Exact to a minute. */
  lastUsedAt: Date | null;
  createdAt: Date;
}

const OPS_KEY = 'id, name, scope, expires_at, revoked_at, last_used_at, created_at';

/** @param key with the SHA-256 of the credential, which is random enough to need no slow hash */
export function insertOpsKey(
  db: Db,
  key: Pick<OpsKey, 'id' | 'name' | 'scope' | 'expiresAt'> & { keyHash: Buffer },
): Promise<OpsKey> {
  return queryOne<OpsKey>(
    db,
    `INSERT INTO ops_keys (id, name, scope, key_hash, expires_at) VALUES ($1, $2, $3, $4, $5)
     RETURNING ${OPS_KEY}`,
    [key.id, key.name, key.scope, key.keyHash, key.expiresAt],
  );
}

/** Named ops keys, newest first: ids are in the order of their time. */
export function findOpsKeys(db: Db, cursor: string | undefined, limit: number): Promise<OpsKey[]> {
  return query<OpsKey>(
    db,
    `SELECT ${OPS_KEY} FROM ops_keys WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [cursor ?? null, limit],
  );
}
