import { isDeepStrictEqual } from 'node:util';
import type { Db } from '@fiado/chassis/db/database';
import { knownChangesCall, MAX_KNOWN_CHANGES } from '@fiado/contracts/known-changes';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { Invariant } from '@fiado/chassis/invariants/scans';
import {
  type BookDay,
  type Books,
  HASH_OF_DAY,
  OWED_THEN,
  readBooks,
  wrongCohorts,
} from '../portfolio/books.sql';
import { findTotals } from '../portfolio/totals.sql';

/** What two days of the portfolio and the flows between them have, by part. */
const PARTS = ['principal', 'interest', 'iva'];
const sums = PARTS.map((part) => `sum(${part})`).join();

const CHECKS_OF_PORTFOLIO: Invariant[] = [
  {
    name: 'days of the portfolio follow each other',
    violations: `
        SELECT day, starts_at, ends_at FROM (
          SELECT *, lag(day) OVER days AS day_before, lag(ends_at) OVER days AS end_before
            FROM portfolio_calendar WINDOW days AS (ORDER BY day)) followed
         WHERE day_before IS NOT NULL AND (day_before + 1 <> day OR end_before <> starts_at)`,
  },
  {
    name: 'days of the portfolio differ by what moved',
    violations: `
        WITH owed AS (
          SELECT day, wholesaler_id, sum(principal_cents) AS principal, sum(interest_cents) AS interest,
                 sum(iva_cents) AS iva
            FROM portfolio_days GROUP BY day, wholesaler_id),
        changes AS (
          SELECT * FROM owed
          UNION ALL SELECT day + 1, wholesaler_id, ${PARTS.map((part) => `-${part}`).join()} FROM owed
          UNION ALL
          SELECT day, wholesaler_id, ${PARTS.map(
            (part) => `credited_${part}_cents + collected_${part}_cents + written_off_${part}_cents
                       - delivered_${part}_cents`,
          ).join()} FROM portfolio_flows)
        SELECT day, wholesaler_id, ${PARTS.map((part) => `sum(${part})::bigint AS "${part}Cents"`).join()}
          FROM changes
         -- What was owed before the first day is in no flow.
         WHERE day > (SELECT min(day) FROM portfolio_calendar)
           AND day <= (SELECT max(day) FROM portfolio_calendar)
         GROUP BY day, wholesaler_id HAVING (${sums}) <> (0, 0, 0)`,
  },
  {
    name: 'each week of delivery has the principal of its days, and no more of it is due or unpaid',
    violations: `
        WITH delivered AS (
          SELECT date_trunc('week', day)::date AS week, wholesaler_id,
                 sum(delivered_principal_cents) AS cents
            FROM portfolio_flows WHERE delivered_principal_cents > 0 GROUP BY 1, 2)
        SELECT week, wholesaler_id, age, cents::bigint AS "deliveredCents", principal_cents,
               reached_cents, unpaid_cents
          FROM portfolio_cohorts FULL JOIN delivered USING (week, wholesaler_id)
         WHERE principal_cents IS DISTINCT FROM cents AND coalesce(principal_cents, cents) > 0
            OR reached_cents > principal_cents OR unpaid_cents NOT BETWEEN 0 AND reached_cents`,
  },
  {
    name: 'the totals have the principal of each week of delivery of the last 90 days',
    violations: `
        SELECT week, wholesaler_id, kept.cents AS "totalsCents", principal_cents
          FROM (SELECT week, wholesaler_id, sum(delivered_cents)::bigint AS cents
                  FROM portfolio_totals GROUP BY 1, 2) kept
          FULL JOIN (SELECT * FROM portfolio_cohorts WHERE age = 0) cohort USING (week, wholesaler_id)
         WHERE week >= (SELECT min(day) FROM portfolio_calendar)
           AND week >= (SELECT max(day) FROM portfolio_calendar) - 90
           -- Not while they are made for the first time, or behind a process of the release before.
           AND EXISTS (SELECT FROM portfolio_position
                        WHERE is_complete AND day = (SELECT max(day) FROM portfolio_calendar))
           AND coalesce(kept.cents, 0) <> coalesce(principal_cents, 0)`,
  },
  {
    name: 'what left the portfolio is what was written off',
    violations: `
        WITH days AS (SELECT min(starts_at) AS first, max(ends_at) AS last FROM portfolio_calendar),
        flows AS (
          SELECT wholesaler_id, sum(written_off_principal_cents) AS principal,
                 sum(written_off_interest_cents) AS interest, sum(written_off_iva_cents) AS iva
            FROM portfolio_flows GROUP BY wholesaler_id),
        rows AS (
          SELECT r.wholesaler_id, sum(w.principal_cents) AS principal,
                 sum(w.interest_cents) AS interest, sum(w.iva_cents) AS iva
            FROM days, write_offs w JOIN receivables r ON r.id = w.receivable_id
           WHERE w.created_at >= days.first AND w.created_at < days.last GROUP BY r.wholesaler_id)
        SELECT wholesaler_id, flows.principal::bigint AS "flowsCents",
               rows.principal::bigint AS "writtenOffCents"
          FROM flows FULL JOIN rows USING (wholesaler_id)
         WHERE (coalesce(flows.principal, 0), coalesce(flows.interest, 0), coalesce(flows.iva, 0))
            <> (coalesce(rows.principal, 0), coalesce(rows.interest, 0), coalesce(rows.iva, 0))`,
  },
  {
    // A day of the release before has no hash.
    name: 'each day of the portfolio is as it was filled',
    violations: `
        SELECT c.day FROM portfolio_calendar c
         WHERE c.sha256 <> ${HASH_OF_DAY(
           '(SELECT * FROM portfolio_days WHERE day = c.day)',
           '(SELECT * FROM portfolio_flows WHERE day = c.day)',
         )}`,
  },
  {
    name: 'each write-off is of what its debt owed then',
    violations: `
        SELECT w.receivable_id, w.principal_cents, w.interest_cents, w.iva_cents
          FROM write_offs w CROSS JOIN LATERAL (
            SELECT sum(principal_cents) AS principal, sum(interest_cents) AS interest,
                   sum(iva_cents) AS iva
              FROM receivable_entries e
             WHERE e.receivable_id = w.receivable_id AND e.version <= w.receivable_version) owed
         WHERE (owed.principal, owed.interest, owed.iva)
               IS DISTINCT FROM (w.principal_cents, w.interest_cents, w.iva_cents)`,
  },
];

/**
 * Checks of the portfolio reports.
 * @param accounts stores who approved a write-off
 */
export function checksOfPortfolio(
  timeZone: string,
  accounts: Pick<InternalClient, 'ask'>,
): Invariant[] {
  return [
    ...CHECKS_OF_PORTFOLIO,
    {
      name: 'three days of the portfolio are as their entries make them',
      violations: (db) => wrongDays(db, timeZone),
    },
    {
      name: 'the totals of debts are what their ledger makes of them',
      violations: (db) => wrongTotals(db, timeZone),
    },
    {
      name: 'each write-off was approved by the person that accounts knows',
      violations: (db) => wrongApprovals(db, accounts),
    },
    {
      name: 'what is unpaid of three weeks of delivery is what their debts owed then',
      violations: (db) => wrongCohorts(db, timeZone),
    },
  ];
}

/** The newest approved write-offs whose request has another decision in accounts. */
async function wrongApprovals(db: Db, accounts: Pick<InternalClient, 'ask'>): Promise<object[]> {
  const rows = await query<{ receivableId: string; requestedBy: string; approvedBy: string }>(
    db,
    `SELECT receivable_id, requested_by, approved_by FROM write_offs
      WHERE approved_by IS NOT NULL ORDER BY created_at DESC LIMIT ${MAX_KNOWN_CHANGES}`,
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ receivableId }) => receivableId);
  const { changes } = await accounts.ask(knownChangesCall, { ids, wholesalerIds: [] });
  return rows.filter(
    ({ receivableId, requestedBy, approvedBy }) =>
      !changes.some(
        (change) =>
          change.kind === 'receivable.write-off' &&
          change.targetId === receivableId &&
          change.requestedBy === requestedBy &&
          change.decidedBy === approvedBy,
      ),
  );
}

/** Checks the last day and two others; returns the days that differ from the ledger. */
async function wrongDays(db: Db, timeZone: string): Promise<object[]> {
  const days = await query<BookDay & { first: Date }>(
    db,
    `SELECT day::text, starts_at, ends_at, (SELECT min(starts_at) FROM portfolio_calendar) AS first
       FROM portfolio_calendar
      WHERE day = (SELECT max(day) FROM portfolio_calendar)
         OR day IN (SELECT day FROM portfolio_calendar ORDER BY random() LIMIT 2)`,
  );
  const wrong: object[] = [];
  for (const { first, ...day } of days) {
    const books = await readBooks(db, day, { timeZone, first });
    const stored = await queryOne<Pick<Books, 'days' | 'flows'>>(db, STORED, [day.day]);
    for (const table of ['days', 'flows'] as const) {
      if (!isDeepStrictEqual(stored[table], books[table])) wrong.push({ day: day.day, table });
    }
  }
  return wrong;
}

/** The rows of a day as readBooks returns them. */
const STORED = `
  SELECT (SELECT coalesce(jsonb_agg(to_jsonb(d) - 'day' ORDER BY wholesaler_id, bucket), '[]')
            FROM portfolio_days d WHERE day = $1) AS days,
         (SELECT coalesce(jsonb_agg(to_jsonb(f) - 'day' ORDER BY wholesaler_id), '[]')
            FROM portfolio_flows f WHERE day = $1) AS flows`;

/** Rows of portfolio_totals that are not what their debts owed by the ledger when the totals were last moved. */
async function wrongTotals(db: Db, timeZone: string): Promise<object[]> {
  const totals = await findTotals(db);
  return totals?.isComplete === true
    ? query(db, WRONG_TOTALS, [totals.day, totals.endsAt, timeZone])
    : [];
}

/** $1: the day of the totals, $2: its end, $3: the time zone of the lender. */
const WRONG_TOTALS = `
  WITH ${OWED_THEN},
  ledger AS (
    SELECT wholesaler_id, week, due_on, due_at, w.receivable_id IS NOT NULL AS is_written_off,
           count(*) AS debts, sum(principal) AS principal, sum(interest) AS interest, sum(iva) AS iva
      FROM owed LEFT JOIN write_offs w ON w.receivable_id = owed.id AND w.created_at < $2
     WHERE principal <> 0 OR interest <> 0 OR iva <> 0
     GROUP BY 1, 2, 3, 4, 5
  )
  SELECT $1::date::text AS day, wholesaler_id, week::text, due_on::text AS "dueOn", is_written_off,
         kept.debts, kept.principal_cents, kept.interest_cents, kept.iva_cents,
         ledger.debts::int AS "ledgerDebts", ledger.principal::bigint AS "ledgerPrincipalCents",
         ledger.interest::bigint AS "ledgerInterestCents", ledger.iva::bigint AS "ledgerIvaCents"
    FROM portfolio_totals kept
    FULL JOIN ledger USING (wholesaler_id, week, due_on, due_at, is_written_off)
   WHERE (coalesce(kept.debts, 0), coalesce(kept.principal_cents, 0), coalesce(kept.interest_cents, 0),
          coalesce(kept.iva_cents, 0))
      <> (coalesce(ledger.debts, 0), coalesce(ledger.principal, 0), coalesce(ledger.interest, 0),
          coalesce(ledger.iva, 0))
   LIMIT 100`;
