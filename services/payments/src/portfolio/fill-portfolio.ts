import type { Database, Transaction } from '@fiado/chassis/db/database';
import { allowLongStatements, query, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { portfolioBehind } from '../metrics';
import { type BookDay, type Books, HASH_OF_DAY, readBooks, SETTLED_AFTER } from './books.sql';

/** Name of the loop that fills missing days. */
export const PORTFOLIO_LOOP = 'fill portfolio';

/** How far back the first days are filled: a year of reports, and some weeks. */
const FIRST_DAYS = 400;

/**
 * Fills the next missing day of the portfolio, once it is over. It reads the state of rows, so that a
 * day that was missed is filled later with the same values; of two processes that fill the same day,
 * one writes it.
 * @returns whether a day was filled, and another may be missing
 */
export async function fillPortfolio(context: PortfolioContext): Promise<boolean> {
  const next = await nextDay(context);
  if (next === undefined || !next.isOver) return false;
  const startedAt = performance.now();
  const { books, readFrom } = await readDay(context, next, next.first);
  const isFilled = await context.db.transaction((tx) => storeBooks(tx, next, books));
  const ms = Math.round(performance.now() - startedAt);
  if (isFilled) context.log.info({ day: next.day, readFrom, ms }, 'portfolio filled');
  return true;
}

interface NextDay extends BookDay {
  /** When the first day of the portfolio began. */
  first: Date;
  /** Its entries are all committed. */
  isOver: boolean;
  /** For how long it could have been filled; 0 or less if it could not. */
  behindSeconds: number;
}

/** The first day that is not in the books; undefined before the first debt. */
async function nextDay({
  db,
  config,
}: Pick<PortfolioContext, 'db' | 'config'>): Promise<NextDay | undefined> {
  const zone = config.TIME_ZONE;
  const known = await queryRow<{ day: string; startsAt: Date; first: Date }>(
    db,
    `SELECT (day + 1)::text AS day, ends_at AS starts_at,
            (SELECT starts_at FROM portfolio_calendar ORDER BY day LIMIT 1) AS first
       FROM portfolio_calendar ORDER BY day DESC LIMIT 1`,
  );
  // Monday, so that the week of each cohort is whole.
  const next =
    known ??
    (await queryRow<{ day: string; startsAt: Date; first: Date }>(
      db,
      `SELECT monday::date::text AS day, monday AT TIME ZONE $1 AS starts_at,
              monday AT TIME ZONE $1 AS first
         FROM (SELECT date_trunc('week', greatest(opened_at, now() - interval '${FIRST_DAYS} days')
                        AT TIME ZONE $1) AS monday
                 FROM receivables ORDER BY opened_at, id LIMIT 1) beginning`,
      [zone],
    ));
  if (next === undefined) return undefined;
  const end = await queryRow<{ endsAt: Date; behindSeconds: number }>(
    db,
    `SELECT ends_at, EXTRACT(EPOCH FROM now() - ends_at - ${SETTLED_AFTER})::float8
              AS "behindSeconds"
       FROM (SELECT ($1::date + 1)::timestamp AT TIME ZONE $2 AS ends_at) day`,
    [next.day, zone],
  );
  return end && { ...next, ...end, isOver: end.behindSeconds >= 0 };
}

/** @returns false when another process has filled the day */
async function storeBooks(
  tx: Transaction,
  { day, startsAt, endsAt }: BookDay,
  { days, flows, cohorts }: Books,
): Promise<boolean> {
  const added = await query(
    tx,
    `INSERT INTO portfolio_calendar (day, starts_at, ends_at, sha256)
     SELECT $1, $2, $3, ${HASH_OF_DAY(
       'jsonb_populate_recordset(NULL::portfolio_days, $4::jsonb)',
       'jsonb_populate_recordset(NULL::portfolio_flows, $5::jsonb)',
     )}
     ON CONFLICT DO NOTHING RETURNING day`,
    [day, startsAt, endsAt, JSON.stringify(days), JSON.stringify(flows)],
  );
  if (added.length === 0) return false;
  for (const [table, rows] of [
    ['portfolio_days', days],
    ['portfolio_flows', flows],
  ] as const) {
    await query(
      tx,
      `INSERT INTO ${table}
       SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
      [JSON.stringify(rows.map((row) => ({ day, ...row })))],
    );
  }
  await query(
    tx,
    `INSERT INTO portfolio_cohorts AS known
     SELECT * FROM jsonb_populate_recordset(NULL::portfolio_cohorts, $1::jsonb)
     ON CONFLICT (week, wholesaler_id, age) DO UPDATE
       SET principal_cents = known.principal_cents + excluded.principal_cents,
           reached_cents = known.reached_cents + excluded.reached_cents,
           unpaid_cents = known.unpaid_cents + excluded.unpaid_cents`,
    [JSON.stringify(cohorts)],
  );
  return true;
}

/** For how long the oldest missing day could have been filled. */
export async function samplePortfolio(
  context: Pick<PortfolioContext, 'db' | 'config'>,
): Promise<Reading[]> {
  const next = await nextDay(context);
  return [portfolioBehind({}, Math.max(0, next?.behindSeconds ?? 0))];
}

/** What the loop of the portfolio works with. */
type PortfolioContext = Pick<Context, 'db' | 'replica' | 'config' | 'log'>;

interface ReadDay {
  books: Books;
  readFrom: 'replica' | 'primary';
}

/**
 * Reads the books of a day that is over, in one snapshot: of the replica once that has all of the day,
 * and otherwise of the primary.
 * @param first where the first day of the portfolio began
 */
export async function readDay(
  { db, replica, config, log }: PortfolioContext,
  day: BookDay,
  first: Date,
): Promise<ReadDay> {
  const read = (from: Database) =>
    from.snapshot(async (tx) => {
      await allowLongStatements(tx);
      return readBooks(tx, day, { timeZone: config.TIME_ZONE, first });
    });
  if (replica !== undefined) {
    try {
      if (await hasAllOf(replica, day)) return { books: await read(replica), readFrom: 'replica' };
      log.info({ day: day.day }, 'the replica does not have the day yet');
    } catch (error) {
      // It cannot be reached, or has ended a statement that kept it from replaying.
      log.warn({ day: day.day, err: error }, 'the day cannot be read from the replica');
    }
  }
  return { books: await read(db), readFrom: 'primary' };
}

/**
 * Whether a server is a replica that has replayed a commit after the day was settled. Asked before the
 * snapshot begins, which then has at least as much. A server that was promoted may have lost some.
 */
async function hasAllOf(replica: Database, { endsAt }: BookDay): Promise<boolean> {
  const { hasAll } = await queryOne<{ hasAll: boolean }>(
    replica,
    `SELECT coalesce(pg_is_in_recovery()
                     AND pg_last_xact_replay_timestamp() >= $1::timestamptz + ${SETTLED_AFTER}, false)
              AS has_all`,
    [endsAt],
  );
  return hasAll;
}
