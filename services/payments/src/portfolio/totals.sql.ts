import type { Db, Transaction } from '@fiado/chassis/db/database';
import { allowLongStatements, query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { type BookDay, type Books, BUCKET, DUE_ON, FLOWS, SETTLED_AFTER, WEEK } from './books.sql';
import { COHORT_AGES } from './portfolio.rules';

/** Debts that are counted at a time, the first time that totals are made. */
const DEBTS_AT_ONCE = 10_000;

/** The amounts of a row of portfolio_totals, which changes add to. */
const AMOUNTS = ['debts', 'principal_cents', 'interest_cents', 'iva_cents', 'delivered_cents'];
const KEY = 'wholesaler_id, week, due_on, due_at, is_written_off';

/**
 * SQL: whether the principal that was delivered is still counted at the end of the day, a date. All ages of its
 * cohort are younger, and weeks of the last 90 days are whole.
 */
const IS_COUNTED = (dueOn: string, week: string, day: string): string =>
  `greatest(${dueOn}, ${week} + 6) >= ${day}::date - ${Math.max(...COHORT_AGES)}`;

/** The only row of portfolio_position: the day that portfolio_totals is of. */
export interface TotalsOf {
  day: string;
  /** The midnight after it. */
  endsAt: Date;
  /** Whether the debts from before the first day are all counted. */
  isComplete: boolean;
}

export function findTotals(db: Db): Promise<TotalsOf | undefined> {
  return queryRow(db, 'SELECT day::text, ends_at, is_complete FROM portfolio_position');
}

/**
 * Begins to keep totals: of the last day that is in the books, or of the day before the first.
 * @param beginning SQL of `first_day` and `first`, its start, which selects nothing before the first debt;
 *   its parameter $1 is the time zone
 */
export function beginTotals(
  db: Db,
  { beginning, timeZone }: { beginning: string; timeZone: string },
): Promise<TotalsOf | undefined> {
  return queryRow(
    db,
    `WITH last AS (SELECT day, ends_at FROM portfolio_calendar ORDER BY day DESC LIMIT 1)
     INSERT INTO portfolio_position (day, ends_at)
     SELECT day, ends_at FROM (
       SELECT day, ends_at FROM last
       UNION ALL
       SELECT first_day - 1, first FROM (${beginning}) beginning WHERE NOT EXISTS (SELECT FROM last)) day
      WHERE ends_at + ${SETTLED_AFTER} <= now()
     ON CONFLICT DO NOTHING
     RETURNING day::text, ends_at, is_complete`,
    [timeZone],
  );
}

/**
 * Adds a batch of existing debts to the totals, as they were at the end of the day of the totals.
 * @returns whether there are more
 */
export async function countDebts(tx: Transaction, timeZone: string): Promise<boolean> {
  const position = await queryRow<{ day: string; endsAt: Date; countedTo: string | null }>(
    tx,
    `SELECT day::text, ends_at, counted_to FROM portfolio_position WHERE NOT is_complete FOR UPDATE`,
  );
  if (position === undefined) return false;
  const { day, endsAt, countedTo } = position;
  await allowLongStatements(tx);
  await query(tx, 'SET LOCAL enable_seqscan = off');
  const { changes, lastId, debts } = await queryOne<{
    changes: object[];
    lastId: string | null;
    debts: number;
  }>(tx, COUNT_DEBTS, [countedTo, endsAt, timeZone, day]);
  await addToTotals(tx, changes);
  const isComplete = debts < DEBTS_AT_ONCE;
  await query(tx, 'UPDATE portfolio_position SET counted_to = $1, is_complete = $2', [
    lastId,
    isComplete,
  ]);
  return !isComplete;
}

/**
 * Parameters, in this order:
 * - $1 id of the last debt that was counted; null: none was
 * - $2 end of the day, the next midnight
 * - $3 time zone of the lender
 * - $4 the day itself, a date
 */
const COUNT_DEBTS = `
  WITH next AS MATERIALIZED (
    SELECT * FROM receivables WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT ${DEBTS_AT_ONCE}
  ),
  totals AS (
    SELECT r.wholesaler_id, ${WEEK} AS week, ${DUE_ON} AS due_on, r.due_at,
           w.receivable_id IS NOT NULL AS is_written_off,
           (count(*) FILTER (WHERE (owed.principal, owed.interest, owed.iva) <> (0, 0, 0)))::int AS debts,
           sum(owed.principal)::bigint AS principal_cents, sum(owed.interest)::bigint AS interest_cents,
           sum(owed.iva)::bigint AS iva_cents, sum(r.principal_cents)::bigint AS delivered_cents
      FROM next r
      LEFT JOIN write_offs w ON w.receivable_id = r.id AND w.created_at < $2
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(principal_cents), 0) AS principal, coalesce(sum(interest_cents), 0) AS interest,
              coalesce(sum(iva_cents), 0) AS iva
         FROM receivable_entries WHERE receivable_id = r.id AND created_at < $2) owed
     WHERE r.opened_at < $2
       AND (r.paid_at IS NULL OR r.paid_at >= $2 OR ${IS_COUNTED(DUE_ON, WEEK, '$4')})
     GROUP BY 1, 2, 3, 4, 5
  )
  SELECT (SELECT coalesce(jsonb_agg(totals), '[]') FROM totals) AS changes,
         (SELECT id FROM next ORDER BY id DESC LIMIT 1) AS last_id,
         (SELECT count(*)::int FROM next) AS debts`;

/** A row with its key, and amounts and counts to add. */
export type Change = Record<string, string | number | boolean>;

/** The changes of a day: rows that are added to portfolio_totals, and rows of portfolio_flows. */
export interface DayChanges {
  changes: Change[];
  flows: Change[];
}

/** From one moment until before another. */
export interface Span {
  from: Date;
  to: Date;
}

/**
 * Reads what changed in a part of a day that is over, from its ledger entries and write-offs alone. The sums of all parts are
 * what the day changed.
 * @param db one snapshot, taken after the last entry of the day was committed
 */
export async function readChanges(
  db: Transaction,
  { startsAt, endsAt }: BookDay,
  { from, to }: Span,
  timeZone: string,
): Promise<DayChanges> {
  // The planner knows little of the last hours, and would read whole tables for them.
  await query(db, 'SET LOCAL enable_seqscan = off');
  return queryOne<DayChanges>(db, CHANGES, [startsAt, endsAt, timeZone, from, to]);
}

/**
 * A debt that something happened to leaves the totals with what it owed at the start of the part, and enters them
 * with what it owed at its end. `opened_unpaid_cents` is of the debts that were opened in the day.
 *
 * Parameters, in this order:
 * - $1 start of the day
 * - $2 end of the day, the next midnight
 * - $3 time zone of the lender
 * - $4 start of the part
 * - $5 end of the part
 */
const CHANGES = `
  WITH touched AS (
    SELECT receivable_id FROM receivable_entries WHERE created_at >= $4 AND created_at < $5
    UNION
    SELECT receivable_id FROM write_offs WHERE created_at >= $4 AND created_at < $5
  ),
  ${FLOWS('$4', '$5')},
  changes AS (
    SELECT r.wholesaler_id, ${WEEK} AS week, ${DUE_ON} AS due_on, r.due_at, state.is_written_off,
           sum(sign * ((principal, interest, iva) <> (0, 0, 0))::int)::int AS debts,
           sum(sign * principal)::bigint AS principal_cents,
           sum(sign * interest)::bigint AS interest_cents, sum(sign * iva)::bigint AS iva_cents,
           sum(sign * r.principal_cents)::bigint AS delivered_cents,
           coalesce(sum(sign * principal) FILTER (WHERE r.opened_at >= $1), 0)::bigint
             AS opened_unpaid_cents
      FROM touched
      JOIN receivables r ON r.id = touched.receivable_id
      LEFT JOIN write_offs w ON w.receivable_id = r.id AND w.created_at < $5
     CROSS JOIN LATERAL (
       SELECT ${['principal', 'interest', 'iva']
         .map(
           (
             part,
           ) => `coalesce(sum(${part}_cents) FILTER (WHERE created_at < $4), 0) AS ${part}_before,
              coalesce(sum(${part}_cents) FILTER (WHERE created_at < $5), 0) AS ${part}_after`,
         )
         .join(', ')}
         FROM receivable_entries WHERE receivable_id = r.id) owed
     CROSS JOIN LATERAL (VALUES
       (-1, r.opened_at < $4, coalesce(w.created_at < $4, false),
        principal_before, interest_before, iva_before),
       (1, true, w.receivable_id IS NOT NULL, principal_after, interest_after, iva_after)
     ) state (sign, is_known, is_written_off, principal, interest, iva)
     WHERE r.opened_at < $5 AND is_known
     GROUP BY 1, 2, 3, 4, 5
  )
  SELECT (SELECT coalesce(jsonb_agg(changes), '[]') FROM changes) AS changes,
         (SELECT coalesce(jsonb_agg(flows ORDER BY wholesaler_id), '[]') FROM flows) AS flows`;

/**
 * Moves the totals from the end of one day to the end of the next.
 * @returns the books of the day; undefined when another process has moved them
 */
export async function moveTotals(
  tx: Transaction,
  { day, endsAt, firstDay }: BookDay & { firstDay: string },
  { changes, flows }: DayChanges,
): Promise<Books | undefined> {
  const moved = await query(
    tx,
    `UPDATE portfolio_position SET day = $1, ends_at = $2
      WHERE day = $1::date - 1 AND is_complete RETURNING day`,
    [day, endsAt],
  );
  if (moved.length === 0) return undefined;
  await addToTotals(tx, changes);
  await query(
    tx,
    `DELETE FROM portfolio_totals
      WHERE (debts, principal_cents, interest_cents, iva_cents) = (0, 0, 0, 0)
        AND NOT ${IS_COUNTED('due_on', 'week', '$1')}`,
    [day],
  );
  const books = await queryOne<Omit<Books, 'flows'>>(tx, BOOKS_OF_TOTALS, [
    day,
    firstDay,
    COHORT_AGES,
    JSON.stringify(changes),
  ]);
  return { ...books, flows };
}

async function addToTotals(tx: Transaction, changes: object[]): Promise<void> {
  await query(
    tx,
    `INSERT INTO portfolio_totals AS kept (${KEY}, ${AMOUNTS.join()})
     SELECT ${KEY}, ${AMOUNTS.join()} FROM jsonb_populate_recordset(NULL::portfolio_totals, $1::jsonb)
     ON CONFLICT (${KEY}) DO UPDATE
       SET ${AMOUNTS.map((name) => `${name} = kept.${name} + excluded.${name}`).join()}`,
    [JSON.stringify(changes)],
  );
}

/**
 * Parameters, in this order:
 * - $1 the day that the totals are of
 * - $2 the first day of the portfolio, a Monday: debts of weeks before it are in no cohort
 * - $3 days after the last day to pay at which the debts of a cohort are counted (COHORT_AGES)
 * - $4 what the day changed
 */
const BOOKS_OF_TOTALS = `
  WITH days AS (
    SELECT wholesaler_id, ${BUCKET('$1::date', 'due_on')} AS bucket, sum(debts)::int AS debts,
           sum(principal_cents)::bigint AS principal_cents,
           sum(interest_cents)::bigint AS interest_cents, sum(iva_cents)::bigint AS iva_cents
      FROM portfolio_totals WHERE NOT is_written_off
     GROUP BY 1, 2 HAVING sum(debts) <> 0
  ),
  cohorts AS (
    SELECT week, wholesaler_id, age, sum(principal)::bigint AS principal_cents,
           sum(reached)::bigint AS reached_cents, sum(unpaid)::bigint AS unpaid_cents
      FROM (
        -- Delivered in the day. A debt that was booked late may be old at once.
        SELECT week, wholesaler_id, age, delivered_cents AS principal,
               CASE WHEN due_on + age < $1::date THEN delivered_cents ELSE 0 END AS reached,
               CASE WHEN due_on + age < $1::date THEN opened_unpaid_cents ELSE 0 END AS unpaid
          FROM jsonb_to_recordset($4::jsonb) AS of_day (
                 wholesaler_id uuid, week date, due_on date, delivered_cents bigint,
                 opened_unpaid_cents bigint)
         CROSS JOIN unnest($3::int[]) age
         WHERE delivered_cents <> 0
        UNION ALL
        -- So many days old since the day. What is written off is unpaid too.
        SELECT week, wholesaler_id, age, 0, delivered_cents, principal_cents
          FROM portfolio_totals JOIN unnest($3::int[]) age ON due_on = $1::date - age
      ) aged
     WHERE week >= $2::date GROUP BY week, wholesaler_id, age
  )
  SELECT (SELECT coalesce(jsonb_agg(days ORDER BY wholesaler_id, bucket), '[]') FROM days) AS days,
         (SELECT coalesce(jsonb_agg(cohorts ORDER BY week, wholesaler_id, age), '[]') FROM cohorts)
           AS cohorts`;
