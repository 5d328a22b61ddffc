import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { DEBT_COLUMNS, type Debt, type SumsPage } from '@fiado/contracts/invariants';

/** The statuses of a delivered order, whose debt was booked. */
export const DELIVERED = `status IN ('delivery', 'in-payment-default', 'paid')`;

/**
 * SQL of the delivered orders of a corner store as rows `debt`.
 * @param cornerStoreId an expression
 * @param since an expression: only debts due since then, and those that are not paid; null for all
 */
export function debtsOf(cornerStoreId: string, since: string): string {
  return `
    (SELECT t.id AS transaction_id, t.wholesaler_id, t.user_id, customer.external_id,
            t.amount_cents AS principal_cents, t.interest_cents, t.iva_cents,
            t.payment_due_at AS due_at, t.paid, t.in_default, t.owed_cents AS owed_principal_cents,
            -- A receivable is opened with version 1, of which no event comes back.
            greatest(t.receivable_version, 1) AS version
       FROM transactions t
       LEFT JOIN customers customer
         ON customer.wholesaler_id = t.wholesaler_id AND customer.corner_store_id = t.corner_store_id
      WHERE t.corner_store_id = ${cornerStoreId} AND t.${DELIVERED}
        AND (${since} IS NULL OR t.payment_due_at >= ${since} OR NOT t.paid)) debt`;
}

/** The delivered orders of a corner store, as `fiado verify` compares them, in the order of their ids. */
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
