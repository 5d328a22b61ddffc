import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import { COHORT_AGES } from './portfolio.rules';

/** A day of the lender's calendar. */
export interface BookDay {
  /** Such as 2026-12-07. */
  day: string;
  startsAt: Date;
  /** The next midnight. */
  endsAt: Date;
}

/**
 * How long after its end a day is calculated. An entry has the time at which its database transaction
 * began; by then all of them are committed.
 */
export const SETTLED_AFTER = `interval '10 minutes'`;

/** Rows of portfolio_days, portfolio_flows and portfolio_cohorts, with the names of their columns. */
export interface Books {
  days: object[];
  flows: object[];
  cohorts: object[];
}

/** The unpaid amount of each part of the receivable `r`, in cents. */
const OWED = {
  principal: 'r.principal_cents - r.paid_principal_cents - r.credited_principal_cents',
  interest: 'r.interest_cents - r.paid_interest_cents - r.credited_interest_cents',
  iva: 'r.iva_cents - r.paid_iva_cents - r.credited_iva_cents',
};

/** Principal of the receivable `r` that was unpaid at the end of the day; `since` is joined to it. */
const UNPAID = `${OWED.principal} - coalesce(since.principal, 0)`;

/** The last day to pay, in the time zone $3; debts of the release before keep only its end. */
export const DUE_ON = 'coalesce(r.due_on, (r.due_at AT TIME ZONE $3)::date)';

/** Monday of the week of the delivery, in the time zone $3. */
export const WEEK = `date_trunc('week', r.opened_at AT TIME ZONE $3)::date`;

/** SQL: the bucket of a last day to pay at the end of a day; both are expressions. */
export const BUCKET = (day: string, dueOn: string): string => `
           CASE WHEN ${day} - ${dueOn} <= 0 THEN '0' WHEN ${day} - ${dueOn} <= 7 THEN '1-7'
                WHEN ${day} - ${dueOn} <= 30 THEN '8-30' WHEN ${day} - ${dueOn} <= 60 THEN '31-60'
                WHEN ${day} - ${dueOn} <= 90 THEN '61-90' ELSE '91+' END`;

/**
 * What each debt owed at the end of a day: the queries `since` and `owed` of a WITH. It is what is owed now, less
 * what was booked since.
 * - $2 end of the day, the next midnight
 * - $3 time zone of the lender
 */
export const OWED_THEN = `
  since AS MATERIALIZED (
    SELECT receivable_id, sum(principal_cents)::bigint AS principal,
           sum(interest_cents)::bigint AS interest, sum(iva_cents)::bigint AS iva
      FROM receivable_entries WHERE created_at >= $2 GROUP BY receivable_id
  ),
  owed AS (
    SELECT r.id, r.wholesaler_id, ${WEEK} AS week, ${DUE_ON} AS due_on, r.due_at,
           ${UNPAID} AS principal,
           ${OWED.interest} - coalesce(since.interest, 0) AS interest,
           ${OWED.iva} - coalesce(since.iva, 0) AS iva
      FROM receivables r LEFT JOIN since ON since.receivable_id = r.id
     WHERE r.paid_at IS NULL AND r.opened_at < $2
    UNION ALL
    SELECT r.id, r.wholesaler_id, ${WEEK}, ${DUE_ON}, r.due_at,
           ${OWED.principal} - since.principal,
           ${OWED.interest} - since.interest, ${OWED.iva} - since.iva
      FROM since JOIN receivables r ON r.id = since.receivable_id
     WHERE r.paid_at IS NOT NULL AND r.opened_at < $2
  )`;

/**
 * What moved in a part of a day, of each wholesaler: the queries `moved` and `flows` of a WITH. Whether a payment
 * recovers a debt that was written off is decided from the start of the day, so that the parts add up to the day.
 * - $1 start of the day
 * - $2 end of the day, the next midnight
 * @param from SQL of the start of the part
 * @param to SQL of its end
 */
export const FLOWS = (from: string, to: string): string => `
  moved AS (
    SELECT r.wholesaler_id, e.cause, e.principal_cents AS principal, e.interest_cents AS interest,
           e.iva_cents AS iva, a.deposit_id IS NOT NULL AS is_cash,
           w.receivable_id IS NOT NULL AND (w.created_at < $1 OR e.version > w.receivable_version)
             AS is_recovery
      FROM receivable_entries e
      JOIN receivables r ON r.id = e.receivable_id
      LEFT JOIN allocations a ON a.id = e.allocation_id
      LEFT JOIN write_offs w ON w.receivable_id = e.receivable_id AND w.created_at < $2
     -- Version 1.0.0 could book a payment a moment before its debt.
     WHERE e.created_at >= ${from}::timestamptz - ${SETTLED_AFTER} AND e.created_at < ${to}
       AND greatest(e.created_at, r.opened_at) >= ${from} AND r.opened_at < ${to}
    UNION ALL
    -- What was owed of a debt when it left the books.
    SELECT r.wholesaler_id, 'written-off', sum(e.principal_cents), sum(e.interest_cents),
           sum(e.iva_cents), false, false
      FROM write_offs w
      JOIN receivables r ON r.id = w.receivable_id
      JOIN receivable_entries e ON e.receivable_id = w.receivable_id
       AND (e.created_at < $1 OR e.created_at < $2 AND e.version <= w.receivable_version)
     WHERE w.created_at >= ${from} AND w.created_at < ${to}
     GROUP BY w.receivable_id, r.wholesaler_id
  ),
  flows AS (
    SELECT wholesaler_id,
           ${flow('delivered', '', "cause = 'opened'")},
           ${flow('credited', '-', "cause = 'credit' AND NOT is_recovery")},
           ${flow('collected', '-', "cause IN ('payment', 'reversal') AND NOT is_recovery")},
           ${flow('written_off', '', "cause = 'written-off'")},
           ${paid('is_recovery')} AS recovered_cents,
           ${paid('is_cash')} AS cash_cents
      FROM moved GROUP BY wholesaler_id
  )`;

/**
 * Calculates a day from all debts, for checks: what was owed at its end, what moved in it, and which debts became so many days
 * old. Entries count by the time of their booking, and not before the opening of their debt, so a day
 * that is over never changes.
 * @param db one snapshot, taken after the last entry of the day was committed
 * @param first start of the first day of the portfolio, a Monday: debts that were delivered before it
 *   are in no cohort, so that the week of each cohort is whole
 */
export function readBooks(
  db: Db,
  { day, startsAt, endsAt }: BookDay,
  { timeZone, first }: { timeZone: string; first: Date },
): Promise<Books> {
  return queryOne<Books>(db, BOOKS, [startsAt, endsAt, timeZone, day, first, COHORT_AGES]);
}

/**
 * All open debts are read once and added up as they come: kept for a second use, a million of them fill temporary
 * files.
 *
 * Parameters, in this order:
 * - $1 start of the day
 * - $2 end of the day, the next midnight
 * - $3 time zone of the lender
 * - $4 the day itself, a date
 * - $5 start of the first day of the portfolio (`first` of readBooks)
 * - $6 days after the last day to pay at which the debts of a cohort are counted (COHORT_AGES)
 */
const BOOKS = `
  WITH ${OWED_THEN},
  days AS (
    SELECT owed.wholesaler_id,
           ${BUCKET('$4::date', 'due_on')} AS bucket,
           count(*)::int AS debts, sum(principal)::bigint AS principal_cents,
           sum(interest)::bigint AS interest_cents, sum(iva)::bigint AS iva_cents
      FROM owed LEFT JOIN write_offs w ON w.receivable_id = owed.id AND w.created_at < $2
     WHERE w.receivable_id IS NULL AND (principal <> 0 OR interest <> 0 OR iva <> 0)
     GROUP BY 1, 2
  ),
  ${FLOWS('$1', '$2')},
  cohorts AS (
    SELECT week, wholesaler_id, age, sum(principal)::bigint AS principal_cents,
           sum(reached)::bigint AS reached_cents, sum(unpaid)::bigint AS unpaid_cents
      FROM (
        -- Delivered in the day. A debt that was booked late may be old at once.
        SELECT ${WEEK} AS week, r.wholesaler_id, age, r.principal_cents AS principal,
               CASE WHEN ${DUE_ON} + age < $4::date THEN r.principal_cents ELSE 0 END AS reached,
               CASE WHEN ${DUE_ON} + age < $4::date THEN ${UNPAID} ELSE 0 END
                 AS unpaid
          FROM receivables r CROSS JOIN unnest($6::int[]) age
          LEFT JOIN since ON since.receivable_id = r.id
         WHERE r.opened_at >= greatest($1, $5::timestamptz) AND r.opened_at < $2
        UNION ALL
        -- So many days old since the day.
        SELECT ${WEEK}, r.wholesaler_id, age, 0, r.principal_cents, ${UNPAID}
          FROM unnest($6::int[]) age
          -- A day in any time zone ends within two days of this one; the index is of due_at.
          JOIN receivables r
            ON r.due_at BETWEEN $2::timestamptz - make_interval(days => age + 2)
                            AND $2::timestamptz - make_interval(days => age - 2)
           AND ${DUE_ON} = $4::date - age
          LEFT JOIN since ON since.receivable_id = r.id
         WHERE r.opened_at >= $5 AND r.opened_at < $2
      ) aged GROUP BY week, wholesaler_id, age
  )
  SELECT (SELECT coalesce(jsonb_agg(days ORDER BY wholesaler_id, bucket), '[]') FROM days) AS days,
         (SELECT coalesce(jsonb_agg(flows ORDER BY wholesaler_id), '[]') FROM flows) AS flows,
         (SELECT coalesce(jsonb_agg(cohorts ORDER BY week, wholesaler_id, age), '[]') FROM cohorts)
           AS cohorts`;

/**
 * SQL of the hash of a day's rows, which its row of the calendar keeps. It names its columns: a later one is
 * not in the hashes of before.
 * @param days rows of portfolio_days, and those of portfolio_flows, of one day
 */
export const HASH_OF_DAY = (days: string, flows: string): string => `sha256(convert_to(concat(
  (SELECT string_agg(concat_ws(' ', wholesaler_id, bucket, debts, principal_cents, interest_cents,
            iva_cents), ' ' ORDER BY wholesaler_id, bucket) FROM ${days} days), '/',
  (SELECT string_agg(concat_ws(' ', wholesaler_id, ${FLOW_COLUMNS.join()}), ' '
            ORDER BY wholesaler_id) FROM ${flows} flows)), 'UTF8'))`;

const FLOW_COLUMNS = [
  ...['delivered', 'credited', 'collected', 'written_off'].flatMap((name) =>
    ['principal', 'interest', 'iva'].map((part) => `${name}_${part}_cents`),
  ),
  'recovered_cents',
  'cash_cents',
];

/**
 * Checks three random weeks of delivery; returns those whose unpaid amount at some age differs from the ledger of their
 * debts.
 */
export function wrongCohorts(db: Db, timeZone: string): Promise<object[]> {
  return query(
    db,
    `WITH drawn AS (
       SELECT week, wholesaler_id FROM portfolio_cohorts
        GROUP BY week, wholesaler_id ORDER BY random() LIMIT 3
     ),
     owed AS (
       SELECT drawn.week, drawn.wholesaler_id, age, sum(ending.unpaid)::bigint AS cents
         FROM drawn JOIN receivables r
           ON r.wholesaler_id = drawn.wholesaler_id
          AND r.opened_at >= drawn.week::timestamp AT TIME ZONE $1
          AND r.opened_at < (drawn.week + 7)::timestamp AT TIME ZONE $1
        CROSS JOIN unnest($2::int[]) age
         -- One that was delivered late is as old at once.
         JOIN portfolio_calendar c ON c.day = greatest(
           coalesce(r.due_on, (r.due_at AT TIME ZONE $1)::date) + age,
           (r.opened_at AT TIME ZONE $1)::date)
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(principal_cents), 0) AS unpaid FROM receivable_entries
           WHERE receivable_id = r.id AND created_at < c.ends_at) ending
        GROUP BY drawn.week, drawn.wholesaler_id, age)
     SELECT week::text, wholesaler_id, age, known.unpaid_cents, owed.cents AS "owedCents"
       FROM drawn JOIN portfolio_cohorts known USING (week, wholesaler_id)
       LEFT JOIN owed USING (week, wholesaler_id, age)
      WHERE known.unpaid_cents <> coalesce(owed.cents, 0) LIMIT 100`,
    [timeZone, COHORT_AGES],
  );
}

/** The three parts of what moved, where a condition holds. */
function flow(name: string, sign: '' | '-', condition: string): string {
  return ['principal', 'interest', 'iva']
    .map(
      (part) =>
        `${sign}coalesce(sum(${part}) FILTER (WHERE ${condition}), 0)::bigint AS ${name}_${part}_cents`,
    )
    .join(', ');
}

/** Payments less reversals, of all parts, where a condition holds. */
function paid(condition: string): string {
  return `-coalesce(sum(principal + interest + iva) FILTER (
            WHERE cause IN ('payment', 'reversal') AND ${condition}), 0)::bigint`;
}
