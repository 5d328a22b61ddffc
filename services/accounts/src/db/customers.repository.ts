import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { CornerStoreStatus } from '@fiado/contracts/corner-store';

export interface KnownRow {
  cornerStoreId: string;
  userId: string;
  status: CornerStoreStatus;
  overdue: boolean;
  phoneIndex: Buffer;
  externalId: string | null;
}

/** Locks and returns the stores that have one of the phones, or one of the wholesaler's names. */
export function lockKnownCornerStores(
  tx: Db,
  wholesalerId: string,
  { phoneIndexes, externalIds }: { phoneIndexes: Buffer[]; externalIds: string[] },
): Promise<KnownRow[]> {
  return query<KnownRow>(
    tx,
    `SELECT s.id AS "cornerStoreId", s.user_id, s.status, s.overdue,
            u.phone_index, c.external_id
       FROM corner_stores s
       JOIN users u ON u.id = s.user_id
       LEFT JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
      WHERE s.id IN (
        SELECT known.id FROM users JOIN corner_stores known ON known.user_id = users.id
         WHERE users.phone_index = ANY($2)
        UNION
        SELECT corner_store_id FROM customers WHERE wholesaler_id = $1 AND external_id = ANY($3))
      -- One order for all imports, so that two that share stores wait and do not deadlock.
      ORDER BY s.id FOR NO KEY UPDATE OF s`,
    [wholesalerId, phoneIndexes, externalIds],
  );
}

/** A new user with its corner store, sealed where it is personal. */
export interface NewCustomerRow {
  userId: string;
  cornerStoreId: string;
  firstName: Buffer;
  lastNames: Buffer;
  phone: Buffer;
  phoneIndex: Buffer;
  creditLimitCents: number;
  interestRate: string;
  externalId: string;
  timeZone?: string | undefined;
}

/** Users, stores and links of an import's unknown phones. Fails on users_phone_index_key. */
export async function insertCustomers(
  tx: Db,
  wholesalerId: string,
  rows: NewCustomerRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await query(
    tx,
    `WITH new AS (
       SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::bytea[], $6::bytea[],
                            $7::bytea[], $8::bigint[], $9::numeric[], $10::text[], $11::text[])
         AS new (user_id, corner_store_id, first_name, last_names, phone,
                 phone_index, credit_limit_cents, interest_rate, external_id, time_zone)
     ), new_users AS (
       INSERT INTO users (id, first_name, last_names, phone, phone_index)
       SELECT user_id, first_name, last_names, phone, phone_index FROM new
       -- In one order, as above: the index makes parallel imports of one phone wait.
       ORDER BY phone_index
     ), new_stores AS (
       INSERT INTO corner_stores (id, user_id, credit_limit_cents, interest_rate, time_zone)
       SELECT corner_store_id, user_id, credit_limit_cents, interest_rate, time_zone FROM new
     )
     INSERT INTO customers (wholesaler_id, corner_store_id, external_id)
     SELECT $1, corner_store_id, external_id FROM new`,
    [
      wholesalerId,
      rows.map((row) => row.userId),
      rows.map((row) => row.cornerStoreId),
      rows.map((row) => row.firstName),
      rows.map((row) => row.lastNames),
      rows.map((row) => row.phone),
      rows.map((row) => row.phoneIndex),
      rows.map((row) => row.creditLimitCents),
      rows.map((row) => row.interestRate),
      rows.map((row) => row.externalId),
      rows.map((row) => row.timeZone ?? null),
    ],
  );
}

/** Makes locked stores the wholesaler's customers and raises their versions. */
export async function linkCustomers(
  tx: Db,
  wholesalerId: string,
  links: Array<{ cornerStoreId: string; externalId: string }>,
): Promise<void> {
  if (links.length === 0) return;
  await query(
    tx,
    `WITH link AS (
       SELECT * FROM unnest($2::uuid[], $3::text[]) AS link (corner_store_id, external_id)
     ), raised AS (
       UPDATE corner_stores SET version = version + 1, updated_at = now()
        WHERE id IN (SELECT corner_store_id FROM link)
     )
     INSERT INTO customers (wholesaler_id, corner_store_id, external_id)
     SELECT $1, corner_store_id, external_id FROM link`,
    [wholesalerId, links.map((link) => link.cornerStoreId), links.map((link) => link.externalId)],
  );
}
