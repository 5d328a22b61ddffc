import type { Invariant } from '@fiado/shared/chassis/db/invariants';

/** Seconds after which unfinished work counts as a fault. */
const UNDONE_AFTER_SECONDS = 60;
/** The hourly check for defaults may be missed once. */
const UNDETECTED_AFTER_HOURS = 2;

/** The invariants of payments. Statements select ids and totals, never texts of a payer. */
export const INVARIANTS: Invariant[] = [
  {
    name: 'receivable_entries add up to the outstanding amounts',
    violations: `
      SELECT r.id AS "receivableId", r.interest_cents - r.paid_interest_cents AS "interestCents",
             r.iva_cents - r.paid_iva_cents AS "ivaCents",
             r.principal_cents - r.paid_principal_cents AS "principalCents",
             e.interest AS "interestEntriesCents", e.iva AS "ivaEntriesCents",
             e.principal AS "principalEntriesCents"
        FROM receivables r
        LEFT JOIN (SELECT receivable_id, sum(interest_cents)::bigint AS interest,
                          sum(iva_cents)::bigint AS iva, sum(principal_cents)::bigint AS principal
                     FROM receivable_entries GROUP BY receivable_id) e ON e.receivable_id = r.id
       WHERE (e.interest, e.iva, e.principal)
             IS DISTINCT FROM (r.interest_cents - r.paid_interest_cents,
               r.iva_cents - r.paid_iva_cents, r.principal_cents - r.paid_principal_cents)`,
  },
  {
    name: 'no receivable is paid beyond what is owed',
    violations: `
      SELECT id AS "receivableId", paid_interest_cents, paid_iva_cents, paid_principal_cents
        FROM receivables
       WHERE paid_interest_cents NOT BETWEEN 0 AND interest_cents
          OR paid_iva_cents NOT BETWEEN 0 AND iva_cents
          OR paid_principal_cents NOT BETWEEN 0 AND principal_cents`,
  },
  {
    // A deposit that was applied twice would have paid twice its amount.
    name: 'each applied deposit is allocated in full, once, and no other is allocated',
    violations: `
      SELECT d.id AS "depositId", d.status, d.valor_cents, COALESCE(paid.cents, 0) AS "paidCents",
             COALESCE(kept.cents, 0) AS "balanceCents"
        FROM deposits d
        -- What was taken back again counts against it.
        LEFT JOIN (SELECT a.deposit_id,
                          -sum(e.interest_cents + e.iva_cents + e.principal_cents)::bigint AS cents
                     FROM allocations a JOIN receivable_entries e ON e.allocation_id = a.id
                    GROUP BY a.deposit_id) paid ON paid.deposit_id = d.id
        LEFT JOIN (SELECT deposit_id, sum(cents)::bigint AS cents
                     FROM credit_balance_entries GROUP BY deposit_id) kept
               ON kept.deposit_id = d.id
       WHERE COALESCE(paid.cents, 0) + COALESCE(kept.cents, 0)
             <> CASE d.status WHEN 'applied' THEN d.valor_cents ELSE 0 END`,
  },
  {
    name: 'credit balances are the sum of their entries',
    violations: `
      SELECT b.user_id, b.balance_cents, COALESCE(e.cents, 0) AS "entriesCents"
        FROM credit_balances b
        LEFT JOIN (SELECT user_id, sum(cents)::bigint AS cents
                     FROM credit_balance_entries GROUP BY user_id) e USING (user_id)
       WHERE b.balance_cents <> COALESCE(e.cents, 0) OR b.balance_cents < 0`,
  },
  {
    name: 'amounts spent from credit balances equal what receivables received from them',
    violations: `
      SELECT b.user_id, COALESCE(spent.cents, 0) AS "spentCents",
             COALESCE(paid.cents, 0) AS "paidCents"
        FROM credit_balances b
        LEFT JOIN (SELECT user_id, -sum(cents)::bigint AS cents FROM credit_balance_entries
                    WHERE cause IN ('spent', 'returned') GROUP BY user_id) spent USING (user_id)
        LEFT JOIN (SELECT r.user_id,
                          -sum(e.interest_cents + e.iva_cents + e.principal_cents)::bigint AS cents
                     FROM allocations a
                     JOIN receivable_entries e ON e.allocation_id = a.id
                     JOIN receivables r ON r.id = a.receivable_id
                    WHERE a.deposit_id IS NULL GROUP BY r.user_id) paid USING (user_id)
       WHERE COALESCE(spent.cents, 0) <> COALESCE(paid.cents, 0)`,
  },
  {
    name: `each deposit older than ${UNDONE_AFTER_SECONDS} s is applied, unmatched or reversed`,
    violations: `
      SELECT id AS "depositId", received_at FROM deposits
       WHERE status = 'received'
         AND received_at < now() - make_interval(secs => ${UNDONE_AFTER_SECONDS})
       ORDER BY received_at`,
  },
  {
    name: `each outbox row older than ${UNDONE_AFTER_SECONDS} s is in its queue`,
    violations: `
      SELECT id AS "jobId", queue, type, created_at FROM outbox
       WHERE enqueued_at IS NULL
         AND created_at < now() - make_interval(secs => ${UNDONE_AFTER_SECONDS})
       ORDER BY created_at`,
  },
  {
    name: 'a receivable is in default if, and only if, it has an open default',
    violations: `
      SELECT r.id AS "receivableId", r.in_default, d.id AS "defaultId"
        FROM receivables r
        LEFT JOIN payment_defaults d ON d.receivable_id = r.id AND d.paid_at IS NULL
       WHERE r.in_default <> (d.id IS NOT NULL)
          OR (r.in_default AND (r.paid_at IS NOT NULL OR r.due_at >= d.as_of))`,
  },
  {
    name: `each receivable that is ${UNDETECTED_AFTER_HOURS} hours overdue is in default`,
    violations: `
      SELECT id AS "receivableId", due_at FROM receivables
       WHERE paid_at IS NULL AND NOT in_default
         AND greatest(due_at, opened_at)
             < now() - make_interval(hours => ${UNDETECTED_AFTER_HOURS})
       ORDER BY due_at`,
  },
];
