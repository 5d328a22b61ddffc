import { query } from '@fiado/chassis/db/query';
import type { Invariant } from '@fiado/chassis/invariants/scans';
import { dayAfter } from '@fiado/contracts/clock';
import { MAX_LATER_DAYS } from '@fiado/contracts/jobs/disputes';
import { CREDITED } from '../debts/receivable';
import {
  hasCheckDigit,
  REFERENCE_LENGTHS,
  type ReferenceKind,
} from '../debts/payment-reference.rules';

/**
 * Checks of receivables with the ids $1. The constraints of the table keep what is paid and credited within what was
 * delivered.
 */
export const CHECKS_OF_RECEIVABLES: Invariant[] = [
  {
    name: 'receivable_entries add up to the outstanding amounts, and have no gap',
    violations: `
      SELECT r.id AS "receivableId", r.version, e.count AS entries,
             r.interest_cents - r.paid_interest_cents - r.credited_interest_cents AS "interestCents",
             r.iva_cents - r.paid_iva_cents - r.credited_iva_cents AS "ivaCents",
             r.principal_cents - r.paid_principal_cents - r.credited_principal_cents AS "principalCents",
             e.interest AS "interestEntriesCents", e.iva AS "ivaEntriesCents",
             e.principal AS "principalEntriesCents"
        FROM receivables r CROSS JOIN LATERAL (
          SELECT sum(interest_cents)::bigint AS interest, sum(iva_cents)::bigint AS iva,
                 sum(principal_cents)::bigint AS principal, count(*), max(version) AS last,
                 -- What was booked at the delivery, which nothing changes.
                 count(*) FILTER (
                   WHERE cause = 'opened' AND version = 1
                     AND (interest_cents, iva_cents, principal_cents)
                         = (r.interest_cents, r.iva_cents, r.principal_cents)) AS opened,
                 count(*) FILTER (WHERE cause = 'opened') AS "allOpened"
            FROM receivable_entries WHERE receivable_id = r.id) e
       WHERE r.id = ANY($1)
         AND ((e.interest, e.iva, e.principal, e.last, e.count, e.opened, e."allOpened")
              IS DISTINCT FROM (r.interest_cents - r.paid_interest_cents - r.credited_interest_cents,
                r.iva_cents - r.paid_iva_cents - r.credited_iva_cents,
                r.principal_cents - r.paid_principal_cents - r.credited_principal_cents,
                r.version, r.version, 1, 1))`,
  },
  {
    name: 'what is credited of a receivable is the sum of its credit notes, each booked once',
    violations: `
      SELECT r.id AS "receivableId", ${CREDITED} AS credited_cents, credit.cents AS "entriesCents",
             credit.entries, credit.notes
        FROM receivables r CROSS JOIN LATERAL (
          SELECT coalesce(-sum(interest_cents), 0) AS interest, coalesce(-sum(iva_cents), 0) AS iva,
                 coalesce(-sum(principal_cents), 0) AS principal, count(*) AS entries,
                 -sum(interest_cents + iva_cents + principal_cents)::bigint AS cents,
                 count(DISTINCT credit_note_id) AS notes
            FROM receivable_entries WHERE receivable_id = r.id AND cause = 'credit') credit
       WHERE r.id = ANY($1)
         AND ((credit.interest, credit.iva, credit.principal)
                <> (r.credited_interest_cents, r.credited_iva_cents, r.credited_principal_cents)
              OR credit.entries <> credit.notes)`,
  },
  {
    name: 'no receivable was paid before it was opened',
    violations: `
      SELECT id AS "receivableId", paid_at, opened_at FROM receivables
       WHERE id = ANY($1) AND paid_at < opened_at`,
  },
  {
    name: 'each allocation is one row of its receivable’s ledger, and is taken back at most once',
    violations: `
      SELECT a.id AS "allocationId", a.receivable_id, a.deposit_id, e.payments,
             e.interest AS "interestLeftCents", e.iva AS "ivaLeftCents",
             e.principal AS "principalLeftCents"
        FROM allocations a CROSS JOIN LATERAL (
          SELECT count(*) FILTER (
                   WHERE cause = 'payment' AND receivable_id = a.receivable_id
                     AND (-interest_cents, -iva_cents, -principal_cents)
                         = (a.interest_cents, a.iva_cents, a.principal_cents)) AS payments,
                 count(*) FILTER (
                   WHERE cause NOT IN ('payment', 'reversal') OR receivable_id <> a.receivable_id
                      OR (cause = 'reversal' AND least(interest_cents, iva_cents, principal_cents) < 0)
                 ) AS odd,
                 count(*) FILTER (WHERE cause = 'payment') AS "allPayments",
                 -sum(interest_cents) AS interest, -sum(iva_cents) AS iva,
                 -sum(principal_cents) AS principal
            FROM receivable_entries WHERE allocation_id = a.id) e
       WHERE a.receivable_id = ANY($1)
         AND (e.payments <> 1 OR e."allPayments" <> 1 OR e.odd > 0
              OR least(e.interest, e.iva, e.principal) < 0)`,
  },
  {
    name: 'each payment in the ledger of a receivable has its allocation',
    violations: `
      SELECT e.receivable_id, e.version, e.cause, e.allocation_id FROM receivable_entries e
       WHERE e.receivable_id = ANY($1) AND e.allocation_id IS NOT NULL AND NOT EXISTS (
               SELECT FROM allocations a
                WHERE a.id = e.allocation_id AND a.receivable_id = e.receivable_id)`,
  },
  {
    name: 'a receivable, its user and the deposits that paid it are one user’s',
    violations: `
      SELECT r.id AS "receivableId", r.user_id, r.corner_store_id,
             b.corner_store_id AS "userCornerStoreId", paid.deposit_id,
             paid.user_id AS "depositUserId"
        FROM receivables r
        LEFT JOIN credit_balances b USING (user_id)
        LEFT JOIN LATERAL (
          SELECT a.deposit_id, d.user_id
            FROM allocations a LEFT JOIN deposits d ON d.id = a.deposit_id
            JOIN receivable_entries e ON e.allocation_id = a.id
           WHERE a.receivable_id = r.id AND a.deposit_id IS NOT NULL
             AND d.user_id IS DISTINCT FROM r.user_id
           GROUP BY a.deposit_id, d.user_id
           -- What was taken back does not count.
          HAVING sum(e.interest_cents + e.iva_cents + e.principal_cents) <> 0 LIMIT 1) paid ON true
       WHERE r.id = ANY($1)
         AND (b.corner_store_id IS DISTINCT FROM r.corner_store_id OR paid.deposit_id IS NOT NULL)`,
  },
  {
    name: 'each idFactura has its check digit',
    violations: (db, ids) =>
      wrongReferences(
        'idFactura',
        query(
          db,
          'SELECT id AS "receivableId", id_factura AS reference FROM receivables WHERE id = ANY($1)',
          [ids],
        ),
      ),
  },
  {
    // Debts of the release before keep no day.
    name: 'the last day to pay of a receivable is that of its due date, in its time zone',
    violations: async (db, ids) => {
      const rows = await query<{ receivableId: string; dueAt: Date; dueOn: string; zone: string }>(
        db,
        `SELECT id AS "receivableId", due_at, due_on::text AS "dueOn", time_zone AS zone
           FROM receivables WHERE id = ANY($1) AND due_on IS NOT NULL
          -- Day after day, which dayAfter computes once.
          ORDER BY due_at`,
        [ids],
      );
      return rows.filter(({ dueAt, dueOn, zone }) => dayAfter(dueAt, zone).date !== dueOn);
    },
  },
  {
    name: 'a receivable is in default if, and only if, it has an open default',
    violations: `
      SELECT r.id AS "receivableId", r.in_default, d.id AS "defaultId"
        FROM receivables r
        LEFT JOIN payment_defaults d ON d.receivable_id = r.id AND d.paid_at IS NULL
       WHERE r.id = ANY($1)
         AND (r.in_default <> (d.id IS NOT NULL)
              OR r.in_default AND r.due_at >= d.as_of)`,
  },
  {
    // An open dispute adds the most days, and its decision may add fewer after the withdrawal.
    name: 'each withdrawn default is closed, and its deposit is signed and was paid by the last day',
    violations: `
      SELECT w.default_id AS "defaultId", r.id AS "receivableId", w.deposit_id AS "depositId",
             deposit.paid_at AS "depositPaidAt", r.due_at AS "dueAt"
        FROM receivables r JOIN payment_defaults d
          ON d.corner_store_id = r.corner_store_id AND d.receivable_id = r.id
        JOIN default_withdrawals w ON w.default_id = d.id
        LEFT JOIN deposits deposit ON deposit.id = w.deposit_id
       WHERE r.id = ANY($1)
         AND (d.paid_at IS NULL OR w.receivable_id <> r.id OR deposit.id IS NULL OR NOT deposit.is_signed
              OR deposit.paid_at > r.due_at + (
                   SELECT count(*) * interval '${MAX_LATER_DAYS * 24} hours' FROM debt_disputes
                    WHERE debt_disputes.transaction_id = r.transaction_id)
              OR w.withdrawn_at < d.opened_at)`,
  },
  {
    // Closed ones are found by their corner store: only open ones have an index by receivable.
    name: 'each default has the parties of its receivable, and is of an amount that it owed',
    violations: `
      SELECT d.id AS "defaultId", r.id AS "receivableId", d.amount_cents
        FROM receivables r JOIN payment_defaults d
          ON d.corner_store_id = r.corner_store_id AND d.receivable_id = r.id
       WHERE r.id = ANY($1)
         AND ((d.wholesaler_id, d.user_id, d.external_id)
              IS DISTINCT FROM (r.wholesaler_id, r.user_id, r.external_id)
              OR d.amount_cents > r.interest_cents + r.iva_cents + r.principal_cents
              OR d.paid_at < d.opened_at)
      UNION ALL
      SELECT d.id, r.id, d.amount_cents
        FROM receivables r JOIN payment_defaults d ON d.receivable_id = r.id AND d.paid_at IS NULL
       WHERE r.id = ANY($1) AND d.corner_store_id <> r.corner_store_id`,
  },
];

/** The rows whose reference is not one that referenceOf makes. */
export async function wrongReferences(
  kind: ReferenceKind,
  found: Promise<Array<{ reference: string }>>,
): Promise<object[]> {
  const form = new RegExp(`^\\d{${REFERENCE_LENGTHS[kind]}}$`);
  return (await found).filter(
    ({ reference }) => !form.test(reference) || !hasCheckDigit(reference),
  );
}
