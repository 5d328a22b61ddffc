import { query, type Db } from '@fiado/shared/chassis/db/query';
import {
  CUSTOMERS_DIGEST,
  MAX_VIOLATIONS,
  SETTINGS_DIGEST,
  type InvariantCheck,
  type TransactionsSums,
} from '@fiado/shared/contracts/invariants';

/** Of an order that its corner store has received: it is owed, or was. */
const DELIVERED = `status IN ('delivery', 'in-payment-default', 'paid')`;

/** The expiry looks every 30 s; what it still has open after this is not on its way. */
const MINUTES_TO_EXPIRE = 10;

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
    name: 'a live commission has the rate of its transaction and is that share of the amount',
    violations: `
      SELECT t.id, t.amount_cents, t.commission_rate, c.rate, c.amount_cents AS commission_cents
        FROM transactions t JOIN commissions c ON c.transaction_id = t.id AND c.voided_at IS NULL
       WHERE c.rate <> t.commission_rate
          OR c.amount_cents <> round(t.amount_cents * t.commission_rate)`,
  },
  {
    name: 'interest and IVA of a transaction follow from its amount and its rates',
    violations: `
      SELECT id, amount_cents, interest_rate, interest_cents, iva_rate, iva_cents
        FROM transactions
       WHERE interest_cents <> round(amount_cents * interest_rate)
          OR iva_cents <> round(interest_cents * iva_rate)`,
  },
  {
    name: 'a transaction owes what its credit_entries sum up to once it is delivered, else nothing',
    violations: `
      SELECT t.id, t.status, t.owed_cents, coalesce(sum(entry.amount_cents), 0) AS entries
        FROM transactions t LEFT JOIN credit_entries entry
          ON entry.transaction_id = t.id AND ${DELIVERED}
       GROUP BY t.id
      HAVING t.owed_cents <> coalesce(sum(entry.amount_cents), 0)`,
  },
  {
    name: 'a delivered transaction is shown as paid when it is, and then owes nothing',
    violations: `
      SELECT id, status, paid, owed_cents FROM transactions
       WHERE (${DELIVERED} AND (status = 'paid') <> paid) OR (paid AND owed_cents > 0)`,
  },
  {
    name: `no hold is open ${MINUTES_TO_EXPIRE} minutes past its end`,
    violations: `
      SELECT id, status, expires_at FROM transactions
       WHERE status IN ('pending-verification', 'on-hold')
         AND expires_at < now() - make_interval(mins => ${MINUTES_TO_EXPIRE})`,
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
            orders.delivered AS "deliveredCents", orders.interest AS "deliveredInterestCents",
            orders.iva AS "deliveredIvaCents", orders.paid AS "paidCount",
            entries.repaid AS "repaidCents",
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
