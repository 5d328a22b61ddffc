import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { DEBT_COLUMNS, type Debt, type SumsPage } from '@fiado/contracts/invariants';

/**
 * SQL of the receivables of a corner store as rows `debt`.
 * @param cornerStoreId an expression
 * @param since an expression: only debts due since then, and those that are not paid; null for all
 */
export function debtsOf(cornerStoreId: string, since: string): string {
  return `
    (SELECT transaction_id, wholesaler_id, user_id, external_id, principal_cents, interest_cents,
            iva_cents, due_at, paid_at IS NOT NULL AS paid, in_default,
            principal_cents - paid_principal_cents AS owed_principal_cents, version
       FROM receivables
      WHERE corner_store_id = ${cornerStoreId}
        AND (${since} IS NULL OR due_at >= ${since} OR paid_at IS NULL)) debt`;
}

/** The receivables of a corner store, as `fiado verify` compares them, in the order of their orders. */
export function findDebtsOfStore(
  db: Db,
  cornerStoreId: string,
  { cursor, limit, since }: SumsPage,
): Promise<Debt[]> {
  return query<Debt>(
    db,
    `SELECT ${DEBT_COLUMNS} FROM ${debtsOf('$1::uuid', '$2::timestamptz')}
      WHERE $3::uuid IS NULL OR transaction_id > $3 ORDER BY transaction_id LIMIT $4`,
    [cornerStoreId, since ?? null, cursor ?? null, limit],
  );
}
