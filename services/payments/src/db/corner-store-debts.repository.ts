import type { Db } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import type { CornerStoreDebts } from '@fiado/contracts/corner-store-debts';

/** What a corner store owes, and what of it is overdue by then; see receivableStatus. */
export async function findCornerStoreDebts(
  db: Db,
  cornerStoreId: string,
  now: Date,
): Promise<CornerStoreDebts> {
  const debts = await queryOne<
    Omit<CornerStoreDebts, 'oldestDueAt'> & { oldestDueAt: Date | null }
  >(
    db,
    `SELECT count(*) AS "openDebts", coalesce(sum(cents), 0)::bigint AS "amountDueCents",
            count(*) FILTER (WHERE overdue) AS "overdueDebts",
            coalesce(sum(cents) FILTER (WHERE overdue), 0)::bigint AS "overdueCents",
            min(due_at) AS "oldestDueAt",
            coalesce((SELECT balance_cents FROM credit_balances WHERE corner_store_id = $1), 0)
              AS "creditBalanceCents",
            (SELECT coalesce(sum(amount_cents), 0)::bigint FROM payouts
              WHERE corner_store_id = $1 AND status = 'requested') AS "reservedCents",
            (SELECT coalesce(sum(amount_cents - paid_cents), 0)::bigint FROM recoveries
              WHERE user_id = (SELECT user_id FROM credit_balances WHERE corner_store_id = $1)
                AND paid_cents < amount_cents) AS "recoveryCents",
            (SELECT numero_referencia FROM credit_balances WHERE corner_store_id = $1)
              AS "numeroReferencia"
       FROM (SELECT due_at, in_default OR due_at < $2 AS overdue,
                    principal_cents + interest_cents + iva_cents
                      - paid_principal_cents - paid_interest_cents - paid_iva_cents AS cents
               FROM receivables WHERE corner_store_id = $1 AND paid_at IS NULL) open`,
    [cornerStoreId, now],
  );
  return { ...debts, oldestDueAt: debts.oldestDueAt?.toISOString() ?? null };
}
