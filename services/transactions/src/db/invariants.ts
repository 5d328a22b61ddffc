import type { Invariant } from '@fiado/shared/chassis/db/invariants';

/** The statuses of a delivered order, whose debt was booked. */
export const DELIVERED = `status IN ('delivery', 'in-payment-default', 'paid')`;

/** The expiry runs every 30 s; an order that is still open after this time is a fault. */
const MINUTES_TO_EXPIRE = 10;

/** The invariants of transactions. */
export const INVARIANTS: Invariant[] = [
  {
    name: 'credit_entries add up to the used amount of each credit line',
    violations: `
      SELECT line.corner_store_id, line.used_cents, coalesce(sum(entry.amount_cents), 0) AS entries
        FROM credit_lines line LEFT JOIN credit_entries entry USING (corner_store_id)
       GROUP BY line.corner_store_id
      HAVING line.used_cents <> coalesce(sum(entry.amount_cents), 0)`,
  },
  {
    name: 'each order holds its amount, or nothing if it was cancelled or expired',
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
    name: 'each transaction that is not cancelled or expired has one active commission',
    violations: `
      SELECT t.id, t.status, count(c.id) AS live FROM transactions t
        LEFT JOIN commissions c ON c.transaction_id = t.id AND c.voided_at IS NULL
       GROUP BY t.id
      HAVING count(c.id) <> CASE WHEN t.status IN ('cancelled', 'expired') THEN 0 ELSE 1 END`,
  },
  {
    name: 'each active commission has the rate of its transaction and is that share of the amount',
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
    name: 'a delivered transaction owes the sum of its credit_entries, any other nothing',
    violations: `
      SELECT t.id, t.status, t.owed_cents, coalesce(sum(entry.amount_cents), 0) AS entries
        FROM transactions t LEFT JOIN credit_entries entry
          ON entry.transaction_id = t.id AND ${DELIVERED}
       GROUP BY t.id
      HAVING t.owed_cents <> coalesce(sum(entry.amount_cents), 0)`,
  },
  {
    name: 'a fully paid transaction has the status paid and owes nothing',
    violations: `
      SELECT id, status, paid, owed_cents FROM transactions
       WHERE (${DELIVERED} AND (status = 'paid') <> paid) OR (paid AND owed_cents > 0)`,
  },
  {
    name: `no hold is open ${MINUTES_TO_EXPIRE} minutes after its expiry`,
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
    name: 'no job is a dead letter',
    violations:
      'SELECT id, type, dead_at FROM outbox WHERE dead_at IS NOT NULL AND done_at IS NULL',
  },
];
