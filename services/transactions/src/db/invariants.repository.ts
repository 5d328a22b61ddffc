import { query, type Db } from '@fiado/shared/chassis/db/query';
import {
  MAX_VIOLATIONS,
  type InvariantCheck,
  type TransactionsSums,
} from '@fiado/shared/contracts/invariants';

/** Each fact that must hold, and the statement that finds the rows at fault. */
const CHECKS: Array<{ name: string; violations: string }> = [
  {
    name: 'credit_entries sum up to what each line has used',
    violations: `
      SELECT line.corner_store_id, line.used_cents, coalesce(sum(entry.amount_cents), 0) AS entries
        FROM credit_lines line LEFT JOIN credit_entries entry USING (corner_store_id)
       GROUP BY line.corner_store_id
      HAVING line.used_cents <> coalesce(sum(entry.amount_cents), 0)`,
  },
  {
    name: 'what an order holds is its amount, and nothing once it was cancelled or expired',
    violations: `
      SELECT t.id, t.status, t.amount_cents, coalesce(sum(entry.amount_cents), 0) AS entries
        FROM transactions t LEFT JOIN credit_entries entry
          ON entry.transaction_id = t.id AND entry.kind IN ('hold', 'adjustment', 'release')
       GROUP BY t.id
      HAVING coalesce(sum(entry.amount_cents), 0)
             <> CASE WHEN t.status IN ('cancelled', 'expired') THEN 0 ELSE t.amount_cents END`,
  },
  {
    name: 'no payment frees more credit than its transaction used',
    violations: `
      SELECT transaction_id, sum(amount_cents) AS entries FROM credit_entries
       GROUP BY transaction_id HAVING sum(amount_cents) < 0`,
  },
  {
    name: 'each transaction that is not given up has one live commission',
    violations: `
      SELECT t.id, t.status, count(c.id) AS live FROM transactions t
        LEFT JOIN commissions c ON c.transaction_id = t.id AND c.voided_at IS NULL
       GROUP BY t.id
      HAVING count(c.id) <> CASE WHEN t.status IN ('cancelled', 'expired') THEN 0 ELSE 1 END`,
  },
  {
    name: 'no job waits longer than 60 s for its queue',
    violations: `
      SELECT id, type, created_at FROM outbox
       WHERE enqueued_at IS NULL AND created_at < now() - interval '60 seconds'`,
  },
  {
    name: 'no job is dead',
    violations:
      'SELECT id, type, dead_at FROM outbox WHERE dead_at IS NOT NULL AND done_at IS NULL',
  },
];

/** Looks at every fact, on one snapshot of the data. */
export async function checkInvariants(db: Db): Promise<InvariantCheck[]> {
  const checks: InvariantCheck[] = [];
  for (const { name, violations } of CHECKS) {
    const rows = await query<object & Record<string, unknown>>(
      db,
      `${violations} LIMIT ${MAX_VIOLATIONS}`,
    );
    checks.push({ name, holds: rows.length === 0, violations: rows });
  }
  return checks;
}

/** What transactions says of each credit line, in the order of the ids after a cursor. */
export function findCornerStoreSums(
  db: Db,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<TransactionsSums[]> {
  return query<TransactionsSums & Record<string, unknown>>(
    db,
    `WITH line AS (
       SELECT * FROM credit_lines WHERE $1::uuid IS NULL OR corner_store_id > $1
        ORDER BY corner_store_id LIMIT $2
     )
     SELECT line.corner_store_id AS "cornerStoreId", line.limit_cents AS "limitCents",
            line.interest_rate AS "interestRate", line.status, line.overdue,
            line.used_cents AS "usedCents", orders.held AS "heldCents",
            orders.delivered AS "deliveredCents", entries.repaid AS "repaidCents"
       FROM line
       CROSS JOIN LATERAL (
         SELECT coalesce(sum(amount_cents) FILTER (
                  WHERE status IN ('pending-verification', 'on-hold')), 0)::bigint AS held,
                coalesce(sum(amount_cents) FILTER (
                  WHERE status IN ('delivery', 'in-payment-default', 'paid')), 0)::bigint AS delivered
           FROM transactions t WHERE t.corner_store_id = line.corner_store_id) orders
       CROSS JOIN LATERAL (
         SELECT coalesce(-sum(amount_cents), 0)::bigint AS repaid FROM credit_entries entry
          WHERE entry.corner_store_id = line.corner_store_id
            AND entry.kind IN ('repayment', 'reversal')) entries
      ORDER BY line.corner_store_id`,
    [cursor ?? null, limit],
  );
}
