import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import {
  cornerStoreSumsEndpoint,
  debtsEndpoint,
  sumsFields,
} from '@fiado/chassis/invariants/endpoints';
import * as t from '@fiado/chassis/openapi/json-schema';
import { DEBTS_DIGEST, type PaymentsSums, type SumsPage } from '@fiado/contracts/invariants';
import type { Context } from '../context';
import { isDisputed, laterDays } from '../debts/disputes';
import { CREDITED } from '../debts/receivable';

/** The principal of a row of receivables that is neither paid nor credited, in cents. */
const OWED_PRINCIPAL = 'principal_cents - paid_principal_cents - credited_principal_cents';

export const listDebtsEndpoint = debtsEndpoint('payments', debtsOf);

export const listCornerStoreSumsEndpoint = cornerStoreSumsEndpoint<Context, PaymentsSums>(
  'payments',
  {
    userId: sumsFields.userId,
    owedPrincipalCents: t.field(
      t.cents,
      'What of it is neither paid nor credited, in cents',
      50_000,
    ),
    overdueCount: t.field(t.count, 'Number of overdue debts', 0),
    overdueVersion: sumsFields.overdueVersion,
    debts: t.field(t.count, 'Number of receivables', 1),
    debtsDigest: sumsFields.debtsDigest,
  },
  sumByCornerStore,
);

/** What each corner store owes, in the order of the ids. */
function sumByCornerStore(db: Db, { cursor, limit, since }: SumsPage): Promise<PaymentsSums[]> {
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
         SELECT coalesce(sum(${OWED_PRINCIPAL}), 0)::bigint AS principal,
                count(*) FILTER (WHERE in_default) AS overdue
           FROM receivables
          -- By the user, whose open debts have an index: without it all open debts were read each time.
          WHERE user_id = store.user_id AND paid_at IS NULL
            AND corner_store_id = store.corner_store_id) owed
       CROSS JOIN LATERAL (
         SELECT count(*), ${DEBTS_DIGEST} AS digest
           FROM ${debtsOf('store.corner_store_id', '$3::timestamptz')}) all_debts
      ORDER BY store.corner_store_id`,
    [cursor, limit, since],
  );
}

/**
 * SQL of the receivables of a corner store as rows `debt`.
 * @param cornerStoreId an expression
 * @param since an expression: only debts due since then, and those that are not paid; null for all
 */
function debtsOf(cornerStoreId: string, since: string): string {
  return `
    (SELECT transaction_id, wholesaler_id, user_id, external_id, principal_cents, interest_cents,
            iva_cents, due_at, paid_at IS NOT NULL AS paid, in_default,
            ${OWED_PRINCIPAL} AS owed_principal_cents, ${CREDITED} AS credited_cents,
            -- Few debts have a credit note, and only those are looked up.
            CASE WHEN ${CREDITED} = 0 THEN 0 ELSE (
              SELECT count(*) FROM receivable_entries e JOIN held_credits USING (credit_note_id)
               WHERE e.receivable_id = receivables.id AND settled_at IS NOT NULL) END
              AS settled_notes,
            ${isDisputed('receivables')} AS disputed, ${laterDays('receivables')} AS later_days,
            version
       FROM receivables
      WHERE corner_store_id = ${cornerStoreId}
        AND (${since} IS NULL OR due_at >= ${since} OR paid_at IS NULL)) debt`;
}
