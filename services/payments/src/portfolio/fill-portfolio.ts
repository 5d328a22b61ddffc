import type { Database, Transaction } from '@fiado/chassis/db/database';
import { allowLongStatements, query, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { Reading } from '@fiado/chassis/metrics';
import type { Context } from '../context';
import { portfolioBehind } from '../metrics';
import { type BookDay, type Books, HASH_OF_DAY, SETTLED_AFTER } from './books.sql';
import {
  beginTotals,
  type Change,
  countDebts,
  type DayChanges,
  findTotals,
  moveTotals,
  readChanges,
  type Span,
} from './totals.sql';

/** Name of the loop that fills missing days. */
export const PORTFOLIO_LOOP = 'fill portfolio';

/** How far back the first days are filled: a year of reports, and some weeks. */
const FIRST_DAYS = 400;

/**
 * Fills the next missing day of the portfolio, once it is over: what the totals were at the end of the day before,
 * and what the day changed. A day that was missed is filled later with the same values; of two processes that
 * fill the same day, one writes it.
 * @returns whether there may be more to do at once
 */
export async function fillPortfolio(context: PortfolioContext): Promise<boolean> {
  const { db, config, log } = context;
  const timeZone = config.TIME_ZONE;
  const totals = (await findTotals(db)) ?? (await beginTotals(db, { beginning: FIRST, timeZone }));
  if (totals === undefined) return false;
  if (!totals.isComplete && (await db.transaction((tx) => countDebts(tx, timeZone)))) return true;

  const next = await nextDay(context);
  if (next === undefined || !next.isOver) return false;
  const startedAt = performance.now();
  const { changes, readFrom } = await readDay(context, next);
  const isFilled = await db.transaction(async (tx) => {
    await allowLongStatements(tx);
    const books = await moveTotals(tx, next, changes);
    return books !== undefined && storeBooks(tx, next, books);
  });
  const ms = Math.round(performance.now() - startedAt);
  if (isFilled) log.info({ day: next.day, readFrom, ms }, 'portfolio filled');
  return true;
}

/** A Monday, so that the week of each cohort is whole. $1: time zone of the lender. */
const FIRST = `
  SELECT monday::date AS first_day, monday AT TIME ZONE $1 AS first
    FROM (SELECT date_trunc('week', greatest(opened_at, now() - interval '${FIRST_DAYS} days')
                   AT TIME ZONE $1) AS monday
            FROM receivables ORDER BY opened_at, id LIMIT 1) beginning`;

interface NextDay extends BookDay {
  /** The first day of the portfolio. */
  firstDay: string;
  /** Its entries are all committed. */
  isOver: boolean;
  /** For how long it could have been filled; 0 or less if it could not. */
  behindSeconds: number;
}

/**
 * The day to fill next: the one after the day of the totals. Without totals it is the first day that is not in the
 * books; undefined before the first debt.
 */
function nextDay({
  db,
  config,
}: Pick<PortfolioContext, 'db' | 'config'>): Promise<NextDay | undefined> {
  return queryRow<NextDay>(
    db,
    `WITH totals AS (SELECT day, ends_at FROM portfolio_position),
     last AS (SELECT day, ends_at FROM portfolio_calendar ORDER BY day DESC LIMIT 1),
     before AS (
       SELECT * FROM totals
       UNION ALL SELECT * FROM last WHERE NOT EXISTS (SELECT FROM totals)
       UNION ALL SELECT first_day - 1, first FROM (${FIRST}) beginning
        WHERE NOT EXISTS (SELECT FROM totals) AND NOT EXISTS (SELECT FROM last)),
     next AS (
       SELECT before.day + 1 AS day, before.ends_at AS starts_at,
              -- Of a day that a process of the release before has filled meanwhile.
              coalesce(known.ends_at, (before.day + 2)::timestamp AT TIME ZONE $1) AS ends_at
         FROM before LEFT JOIN portfolio_calendar known ON known.day = before.day + 1)
     SELECT day::text, starts_at, ends_at,
            coalesce((SELECT min(day) FROM portfolio_calendar), day)::text AS first_day,
            now() >= ends_at + ${SETTLED_AFTER} AS is_over,
            EXTRACT(EPOCH FROM now() - ends_at - ${SETTLED_AFTER})::float8 AS behind_seconds
       FROM next`,
    [config.TIME_ZONE],
  );
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

/** The parts that the loop of the portfolio works with. */
type PortfolioContext = Pick<Context, 'db' | 'replica' | 'config' | 'log'>;

interface ReadDay {
  changes: DayChanges;
  readFrom: 'replica' | 'primary';
}

/** A statement may take a minute; this is what one of them reads. */
const PART_MS = 3_600_000;
/** Times that a part is read before the day is given up until the next round. */
const PART_TRIES = 3;

/**
 * Reads what changed in a day that is over, hour by hour: of the replica once that has all of the day, and otherwise of the
 * primary. What is over does not change, so each hour has a snapshot of its own, and one that fails is read again alone.
 */
export async function readDay(context: PortfolioContext, day: BookDay): Promise<ReadDay> {
  const { db, replica, config, log } = context;
  let from = await placeToRead(context, day);
  const read = (part: Span) =>
    from.snapshot(async (tx) => {
      await allowLongStatements(tx);
      return readChanges(tx, day, part, config.TIME_ZONE);
    });
  const parts: DayChanges[] = [];
  let triesLeft = PART_TRIES;
  for (const part of partsOf(day)) {
    for (;;) {
      try {
        parts.push(await read(part));
        break;
      } catch (error) {
        if (from === replica) {
          // It cannot be reached, or has ended a statement that kept it from replaying.
          log.warn({ day: day.day, err: error }, 'the day cannot be read from the replica');
          from = db;
        } else {
          triesLeft -= 1;
          if (triesLeft === 0) throw error;
          log.warn({ day: day.day, ...part, err: error }, 'a part of the day is read again');
        }
      }
    }
    triesLeft = PART_TRIES;
  }
  const changes = {
    changes: addUp(parts.flatMap((part) => part.changes)),
    flows: addUp(parts.flatMap(({ flows }) => flows)),
  };
  return { changes, readFrom: from === replica ? 'replica' : 'primary' };
}

/** The hours of a day. */
function partsOf({ startsAt, endsAt }: BookDay): Span[] {
  const parts: Span[] = [];
  for (let from = startsAt; from < endsAt;) {
    const to = new Date(Math.min(from.getTime() + PART_MS, endsAt.getTime()));
    parts.push({ from, to });
    from = to;
  }
  return parts;
}

/** One row for each key: what is no number is the key, and numbers are added. */
function addUp(rows: Change[]): Change[] {
  const sums = new Map<string, Change>();
  for (const row of rows) {
    const fields = Object.entries(row);
    const key = JSON.stringify(fields.filter(([, value]) => typeof value !== 'number'));
    const sum = sums.get(key) ?? {};
    for (const [name, value] of fields) {
      sum[name] = typeof value === 'number' ? value + Number(sum[name] ?? 0) : value;
    }
    sums.set(key, sum);
  }
  return [...sums.values()];
}

/** The replica, if it has all of the day. */
async function placeToRead(
  { db, replica, log }: PortfolioContext,
  day: BookDay,
): Promise<Database> {
  if (replica === undefined) return db;
  try {
    if (await hasAllOf(replica, day)) return replica;
    log.info({ day: day.day }, 'the replica does not have the day yet');
  } catch (error) {
    log.warn({ day: day.day, err: error }, 'the replica cannot be reached');
  }
  return db;
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
