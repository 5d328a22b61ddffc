import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import {
  CUSTOMERS_DIGEST,
  DEBTS_DIGEST,
  SETTINGS_DIGEST,
  type SumsPage,
  type TransactionsSums,
} from '@fiado/contracts/invariants';
import { debtsOf } from './debts-of-store.repository';

/** Sums with the phone number as the copy of its corner store has it. */
export type SumsRow = Omit<TransactionsSums, 'phoneDigest'> & { phoneSealed: Buffer };

/** The sums of each credit line, ordered by id, after a cursor. */
export function findCornerStoreSums(
  db: Db,
  { cursor, limit, since }: SumsPage,
): Promise<SumsRow[]> {
  return query<SumsRow>(
    db,
    `WITH line AS (
       SELECT * FROM credit_lines WHERE $1::uuid IS NULL OR corner_store_id > $1
        ORDER BY corner_store_id LIMIT $2
     )
     SELECT line.corner_store_id, line.user_id, line.version, line.phone_sealed, line.limit_cents,
            trim_scale(line.interest_rate)::text AS "interestRate", line.status, line.overdue,
            line.overdue_version,
            line.used_cents, held.cents AS "heldCents", delivered.count AS debts,
            delivered.digest AS "debtsDigest", links.customers AS "customersDigest",
            links.settings AS "settingsDigest"
       FROM line
       CROSS JOIN LATERAL (
         SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM transactions t
          WHERE t.corner_store_id = line.corner_store_id
            AND t.status IN ('pending-verification', 'on-hold')) held
       CROSS JOIN LATERAL (
         SELECT count(*), ${DEBTS_DIGEST} AS digest
           FROM ${debtsOf('line.corner_store_id', '$3::timestamptz')}) delivered
       CROSS JOIN LATERAL (
         SELECT ${CUSTOMERS_DIGEST} AS customers, ${SETTINGS_DIGEST} AS settings
           FROM customers customer LEFT JOIN wholesalers wholesaler USING (wholesaler_id)
          WHERE customer.corner_store_id = line.corner_store_id) links
      ORDER BY line.corner_store_id`,
    [cursor ?? null, limit, since ?? null],
  );
}
