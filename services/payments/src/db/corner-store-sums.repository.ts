import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { DEBTS_DIGEST, type PaymentsSums, type SumsPage } from '@fiado/contracts/invariants';
import { debtsOf } from './debts-of-store.repository';

/** What each corner store owes, in the order of the ids. */
export function sumByCornerStore(
  db: Db,
  { cursor, limit, since }: SumsPage,
): Promise<PaymentsSums[]> {
  return query<PaymentsSums>(
    db,
    `WITH store AS (
       SELECT corner_store_id, user_id FROM credit_balances
        WHERE $1::uuid IS NULL OR corner_store_id > $1
        ORDER BY corner_store_id LIMIT $2
     )
     SELECT store.corner_store_id, store.user_id, owed.principal AS "owedPrincipalCents",
            owed.overdue AS "overdueCount",
            coalesce(told.version, 0) AS "overdueVersion", all_debts.count AS debts,
            all_debts.digest AS "debtsDigest"
       FROM store
       LEFT JOIN overdue_versions told USING (corner_store_id)
       CROSS JOIN LATERAL (
         SELECT coalesce(sum(principal_cents - paid_principal_cents), 0)::bigint AS principal,
                count(*) FILTER (WHERE in_default) AS overdue
           FROM receivables
          -- By the user, whose open debts have an index: without it all open debts were read each time.
          WHERE user_id = store.user_id AND paid_at IS NULL
            AND corner_store_id = store.corner_store_id) owed
       CROSS JOIN LATERAL (
         SELECT count(*), ${DEBTS_DIGEST} AS digest
           FROM ${debtsOf('store.corner_store_id', '$3::timestamptz')}) all_debts
      ORDER BY store.corner_store_id`,
    [cursor ?? null, limit, since ?? null],
  );
}
