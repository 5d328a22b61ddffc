import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { CornerStoreStatus } from '@fiado/contracts/corner-store';
import { CUSTOMERS_DIGEST, SETTINGS_DIGEST, type AccountsSums } from '@fiado/contracts/invariants';
import { PHONE_CHANGES } from './snapshots.repository';

/** A wholesaler's customer as its lookups show it. */
export interface CustomerRow {
  externalId: string;
  cornerStoreId: string;
  userId: string;
  status: CornerStoreStatus;
  overdue: boolean;
  creditLimitCents: number;
  interestRate: string;
}

/** The wholesaler's customers of those names; names that it does not use are left out. */
export function findCustomers(
  db: Db,
  wholesalerId: string,
  externalIds: string[],
): Promise<CustomerRow[]> {
  return query<CustomerRow>(
    db,
    `SELECT c.external_id, s.id AS "cornerStoreId", s.user_id,
            s.status, s.overdue, s.credit_limit_cents, s.interest_rate
       FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
      WHERE c.wholesaler_id = $1 AND c.external_id = ANY($2)`,
    [wholesalerId, externalIds],
  );
}

/** A user that the calling wholesaler has as its customer, with its store locked. */
export interface LockedUser {
  userId: string;
  cornerStoreId: string;
  status: CornerStoreStatus;
}

/**
 * Locks the corner store of a wholesaler's customer: whatever changes a store, its verifications
 * or its user's phone does this first.
 * @returns undefined when the user does not exist or is another wholesaler's
 */
export function lockUser(
  tx: Db,
  wholesalerId: string,
  userId: string,
): Promise<LockedUser | undefined> {
  return queryRow<LockedUser>(
    tx,
    `SELECT s.user_id, s.id AS "cornerStoreId", s.status
       FROM corner_stores s
       JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
      WHERE s.user_id = $2
        FOR NO KEY UPDATE OF s`,
    [wholesalerId, userId],
  );
}

/** The facts about each corner store that all services must agree on, ordered by id. */
export function listCornerStoreSums(
  db: Db,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<AccountsSums[]> {
  return query<AccountsSums>(
    db,
    `WITH store AS (
       SELECT * FROM corner_stores WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2
     )
     SELECT store.id AS "cornerStoreId", store.user_id, store.version,
            coalesce(md5(person.phone_index), '') AS "phoneDigest", store.credit_limit_cents,
            trim_scale(store.interest_rate)::text AS "interestRate", store.status, store.overdue,
            store.overdue_version, links.customers AS "customersDigest", links.settings AS "settingsDigest"
       FROM store
       LEFT JOIN users person ON person.id = store.user_id
       CROSS JOIN LATERAL (
         SELECT ${CUSTOMERS_DIGEST} AS customers, ${SETTINGS_DIGEST} AS settings
           FROM (SELECT c.*, change.changes AS phone_changes,
                        change.held_until AS phone_held_until
                   FROM customers c CROSS JOIN LATERAL (${PHONE_CHANGES}) change
                  WHERE c.corner_store_id = store.id) customer
           JOIN wholesalers wholesaler ON wholesaler.id = customer.wholesaler_id) links
      ORDER BY store.id`,
    [cursor ?? null, limit],
  );
}
