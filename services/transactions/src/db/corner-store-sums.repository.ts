import type { Db } from '@fiado/shared/chassis/db/database';
import { query } from '@fiado/shared/chassis/db/query';
import {
  CUSTOMERS_DIGEST,
  SETTINGS_DIGEST,
  type TransactionsSums,
} from '@fiado/shared/contracts/invariants';
import { DELIVERED } from './invariants';

/** The sums of each credit line, ordered by id, after a cursor. */
export function findCornerStoreSums(
  db: Db,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<TransactionsSums[]> {
  return query<TransactionsSums>(
    db,
    `WITH line AS (
       SELECT * FROM credit_lines WHERE $1::uuid IS NULL OR corner_store_id > $1
        ORDER BY corner_store_id LIMIT $2
     )
     SELECT line.corner_store_id, line.limit_cents, line.interest_rate, line.status, line.overdue,
            line.used_cents, orders.held AS "heldCents", orders.delivered AS "deliveredCents",
            orders.interest AS "deliveredInterestCents", orders.iva AS "deliveredIvaCents",
            orders.paid AS "paidCount", entries.repaid AS "repaidCents",
            links.customers AS "customersDigest", links.settings AS "settingsDigest"
       FROM line
       CROSS JOIN LATERAL (
         SELECT coalesce(sum(amount_cents) FILTER (
                  WHERE status IN ('pending-verification', 'on-hold')), 0)::bigint AS held,
                coalesce(sum(amount_cents) FILTER (WHERE ${DELIVERED}), 0)::bigint AS delivered,
                coalesce(sum(interest_cents) FILTER (WHERE ${DELIVERED}), 0)::bigint AS interest,
                coalesce(sum(iva_cents) FILTER (WHERE ${DELIVERED}), 0)::bigint AS iva,
                count(*) FILTER (WHERE status = 'paid') AS paid
           FROM transactions t WHERE t.corner_store_id = line.corner_store_id) orders
       CROSS JOIN LATERAL (
         SELECT coalesce(-sum(amount_cents), 0)::bigint AS repaid FROM credit_entries entry
          WHERE entry.corner_store_id = line.corner_store_id
            AND entry.kind IN ('repayment', 'reversal')) entries
       CROSS JOIN LATERAL (
         SELECT ${CUSTOMERS_DIGEST} AS customers, ${SETTINGS_DIGEST} AS settings
           FROM customers customer LEFT JOIN wholesalers wholesaler USING (wholesaler_id)
          WHERE customer.corner_store_id = line.corner_store_id) links
      ORDER BY line.corner_store_id`,
    [cursor ?? null, limit],
  );
}
