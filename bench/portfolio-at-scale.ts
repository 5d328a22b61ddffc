import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Database } from '@fiado/chassis/db/database';
import { migrate } from '@fiado/chassis/db/migrate';
import { allowLongStatements, queryOne } from '@fiado/chassis/db/query';
import { createLogger } from '@fiado/chassis/logger';
import { paymentsSchema } from '@fiado/payments/db/schema';
import { findAgeing } from '@fiado/payments/ops/figures';
import { type BookDay, readBooks } from '@fiado/payments/portfolio/books.sql';
import { fillPortfolio } from '@fiado/payments/portfolio/fill-portfolio';
import { countDebts } from '@fiado/payments/portfolio/totals.sql';
import { cleaningUp } from './support/cleanup';
import { BenchDatabase } from './support/database';
import { describeMachine } from './support/machine';

const ZONE = 'America/Mexico_City';
/** Deliveries of each day, and payments of yesterday and of today. */
const A_DAY = 50_000;
const WHOLESALERS = 20;
/** Days after the delivery. */
const TERM = 14;
/** Times that each is measured; the shortest is printed, because other work makes times longer. */
const ROUNDS = 5;
const ROUNDS_OF_ALL_DEBTS = 1;

type PortfolioContext = Parameters<typeof fillPortfolio>[0];

interface Ground {
  db: BenchDatabase;
  name: string;
  database: Database;
  context: PortfolioContext;
}

interface Times {
  ageingMs: number;
  dayMs: number;
}

/**
 * Measures what is overdue now, and a day of the portfolio, at each number of open debts: by what changed in
 * the day, and read from all debts. The days are alike at each number, and the more debts the older are some.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { debts: { type: 'string', default: '1000000,8000000' } },
  });
  await cleaningUp(async (cleanup) => {
    const folder = await cleanup.makeFolder('fiado-portfolio-');
    const machine = describeMachine();
    say(`${machine.cores} × ${machine.cpu}, load ${machine.loadBefore}`);
    const db = await BenchDatabase.start(join(folder, 'postgres'), true, ["max_wal_size = '4GB'"]);
    cleanup.add(() => db.stop());
    const measured: Times[] = [];
    for (const debts of values.debts.split(',').map(Number)) {
      const name = `portfolio_${debts}`;
      await db.create(name);
      await migrate({ schema: paymentsSchema, ownerUrl: db.urlOf(name), queuesInPostgres: false });
      await fill(db, name, debts);
      const connection = { url: db.urlOf(name), poolSize: 2, preparedStatements: true };
      const database = Database.open(paymentsSchema, connection, () => {});
      const config = { TIME_ZONE: ZONE } as PortfolioContext['config'];
      const log = createLogger('payments', 'silent');
      const context = { db: database, replica: undefined, config, log };
      measured.push(await measure({ db, name, database, context }));
      await database.close();
    }
    const [small, large] = [measured[0], measured.at(-1)];
    if (small === undefined || large === undefined || small === large) return;
    say(
      `the most debts against the fewest: what is overdue ${times(large.ageingMs, small.ageingMs)}, ` +
        `a day of the portfolio ${times(large.dayMs, small.dayMs)}`,
    );
  });
}

const times = (large: number, small: number): string => `${(large / small).toFixed(2)} times`;

/** Day by day, in the order of time; indexes are made at the end. */
async function fill(db: BenchDatabase, name: string, debts: number): Promise<void> {
  const indexes = await db.query<{ name: string; definition: string }>(name, SECOND_INDEXES);
  for (const index of indexes) await db.query(name, `DROP INDEX payments.${index.name}`);
  for (let ago = debts / A_DAY; ago >= 0; ago -= 1) {
    await db.write(name, async (run) => {
      await run('SET LOCAL session_replication_role = replica; SET LOCAL search_path = payments');
      await run(DEBTS_OF_DAY, [ago, A_DAY, WHOLESALERS, TERM, ZONE]);
      await run(OPENED_OF_DAY, [ago, ZONE]);
      if (ago <= 1) await run(PAYMENTS_OF_DAY, [ago, ZONE, TERM]);
    });
  }
  await db.write(name, (run) => run(MISS_YESTERDAY, [ZONE]));
  for (const index of indexes.filter((one) => READ.test(one.name))) {
    await db.query(name, index.definition);
  }
  await db.query(name, 'VACUUM (ANALYZE) payments.receivables');
  await db.query(name, 'VACUUM (ANALYZE) payments.receivable_entries');
  await db.query(name, 'VACUUM (ANALYZE) payments.allocations');
  await db.query(name, 'CHECKPOINT');
}

/** Those that the measured statements may read by. The others would take half of the run. */
const READ = /_created$|_due|_owed$/;

/** Of the large tables, those that no constraint needs. */
const SECOND_INDEXES = `
  SELECT indexname AS name, indexdef AS definition FROM pg_indexes
   WHERE schemaname = 'payments' AND tablename IN ('receivables', 'receivable_entries', 'allocations')
     AND to_regclass('payments.' || indexname) NOT IN
         (SELECT conindid FROM pg_constraint WHERE conindid <> 0)`;

/** Start of the day so many days ago, and the part of it that is over. */
const DAY = (ago: string, zone: string): string => `
  (SELECT midnight, least(midnight + interval '1 day', now()) - midnight AS length
     FROM (SELECT ((now() AT TIME ZONE ${zone})::date - ${ago}::int)::timestamp AT TIME ZONE ${zone} AS midnight) at) day`;

/** $1: days ago, $2: debts, $3: wholesalers, $4: term, $5: zone. Twice as many where they are paid by now. */
const DEBTS_OF_DAY = `
  INSERT INTO receivables
    (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id, id_factura, principal_cents,
     interest_cents, iva_cents, due_at, due_on, time_zone, version, opened_at, paid_at,
     paid_principal_cents, paid_interest_cents, paid_iva_cents)
  SELECT uuidv7(opened_at - now()), gen_random_uuid(), md5((n % $3::int)::text)::uuid, gen_random_uuid(),
         gen_random_uuid(), 'tienda', ($1::bigint * 1000000 + n)::text, 50000, 2500, 400,
         (due_on + 1)::timestamp AT TIME ZONE $5 - interval '1 millisecond', due_on, $5,
         CASE WHEN is_paid THEN 2 ELSE 1 END, opened_at, CASE WHEN is_paid THEN now() END,
         CASE WHEN is_paid THEN 50000 ELSE 0 END, CASE WHEN is_paid THEN 2500 ELSE 0 END,
         CASE WHEN is_paid THEN 400 ELSE 0 END
    FROM ${DAY('$1', '$5')}
   CROSS JOIN generate_series(1, CASE WHEN $1::int - $4::int IN (0, 1) THEN 2 ELSE 1 END * $2::int) n
   CROSS JOIN LATERAL (
     SELECT midnight + length * (n / (2.0 * $2 + 1)) AS opened_at, n > $2 AS is_paid,
            (midnight AT TIME ZONE $5)::date + $4::int AS due_on) made
   ORDER BY n`;

/** $1: days ago, $2: zone. */
const OPENED_OF_DAY = `
  INSERT INTO receivable_entries
    (receivable_id, version, cause, principal_cents, interest_cents, iva_cents, created_at)
  SELECT r.id, 1, 'opened', r.principal_cents, r.interest_cents, r.iva_cents, r.opened_at
    FROM ${DAY('$1', '$2')} JOIN receivables r
      ON r.opened_at >= midnight AND r.opened_at < midnight + interval '1 day'
   ORDER BY r.opened_at`;

/** $1: days ago, $2: zone, $3: term. */
const PAYMENTS_OF_DAY = `
  WITH paid AS (
    SELECT r.*, gen_random_uuid() AS allocation_id,
           midnight + length * (row_number() OVER (ORDER BY r.opened_at) / (1.0 + count(*) OVER ())) AS at
      FROM ${DAY('$1', '$2')} JOIN receivables r
        ON r.opened_at >= midnight - $3::int * interval '1 day'
       AND r.opened_at < midnight - ($3::int - 1) * interval '1 day' AND r.paid_at IS NOT NULL
  ),
  allocated AS (
    INSERT INTO allocations
      (id, deposit_id, receivable_id, principal_cents, interest_cents, iva_cents, created_at)
    SELECT allocation_id, gen_random_uuid(), id, principal_cents, interest_cents, iva_cents, at FROM paid
  )
  INSERT INTO receivable_entries
    (receivable_id, version, cause, allocation_id, principal_cents, interest_cents, iva_cents, created_at)
  SELECT id, 2, 'payment', allocation_id, -principal_cents, -interest_cents, -iva_cents, at
    FROM paid ORDER BY at`;

/** The portfolio has all days but yesterday; its first day is a Monday a year ago. */
const MISS_YESTERDAY = `
  INSERT INTO payments.portfolio_calendar (day, starts_at, ends_at)
  SELECT day, day::timestamp AT TIME ZONE $1, (day + 1)::timestamp AT TIME ZONE $1
    FROM (SELECT (now() AT TIME ZONE $1)::date AS today) local,
         LATERAL (VALUES (date_trunc('week', today - 365)::date), (today - 2)) AS kept (day)`;

async function measure(ground: Ground): Promise<Times> {
  const { db, name, database, context } = ground;
  const [size] = await db.query<{ debts: number; gb: string }>(
    name,
    `SELECT (SELECT count(*)::int FROM payments.receivables WHERE paid_at IS NULL) AS debts,
            round(pg_database_size(current_database()) / 1e9, 1) AS gb`,
  );
  say(`${size?.debts} open debts, ${size?.gb} GB`);
  const ageing = (): ReturnType<typeof findAgeing> => findAgeing(database, new Date());
  const ofAll = await leastOf(ground, ROUNDS_OF_ALL_DEBTS, ageing);
  say(`  what is overdue, of all debts: ${ofAll.ms} ms, ${ofAll.pages} pages`);
  const yesterday = await queryOne<BookDay & { first: Date }>(database, YESTERDAY, [ZONE]);
  const read = await leastOf(ground, ROUNDS_OF_ALL_DEBTS, () =>
    database.snapshot(async (tx) => {
      await allowLongStatements(tx);
      return readBooks(tx, yesterday, { timeZone: ZONE, first: yesterday.first });
    }),
  );
  say(`  a day of the portfolio, of all debts: ${read.ms} ms, ${read.pages} pages`);

  const startedAt = performance.now();
  // It begins, and counts the first debts.
  let slowest = await timed(() => fillPortfolio(context));
  for (;;) {
    const before = performance.now();
    const isMore = await database.transaction((tx) => countDebts(tx, ZONE));
    slowest = Math.max(slowest, performance.now() - before);
    if (!isMore) break;
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  say(
    `  totals are made for the first time: ${seconds} s, the slowest round ${Math.round(slowest)} ms`,
  );
  await asOwner(ground, KEEP_BEFORE);

  const day = await leastOf(
    ground,
    ROUNDS,
    () => fillPortfolio(context),
    () => asOwner(ground, FORGET_YESTERDAY),
  );
  const [kept] = await db.query<{ days: object[]; totals: number }>(name, KEPT);
  say(
    `  a day of the portfolio, by what changed in it: ${day.ms} ms, ${day.pages} pages; ${kept?.totals} totals`,
  );
  if (!isDeepStrictEqual(kept?.days, read.result.days)) throw new Error('The days differ');

  const since = await leastOf(ground, ROUNDS, ageing);
  say(`  what is overdue, by what changed since midnight: ${since.ms} ms, ${since.pages} pages`);
  const sorted = (rows: Awaited<ReturnType<typeof ageing>>) =>
    rows.toSorted((a, b) => a.bucket.localeCompare(b.bucket));
  if (!isDeepStrictEqual(sorted(since.result), sorted(ofAll.result))) {
    throw new Error('What is overdue differs');
  }
  return { ageingMs: since.ms, dayMs: day.ms };
}

const YESTERDAY = `
  SELECT day::text, ends_at AS "startsAt", (day + 1)::timestamp AT TIME ZONE $1 AS "endsAt", first
    FROM (SELECT max(day) + 1 AS day, max(ends_at) AS ends_at, min(starts_at) AS first
            FROM portfolio_calendar) last`;

const KEPT = `
  SELECT (SELECT jsonb_agg(to_jsonb(d) - 'day' ORDER BY wholesaler_id, bucket)
            FROM payments.portfolio_days d) AS days,
         (SELECT count(*)::int FROM payments.portfolio_totals) AS totals`;

async function asOwner({ db, name }: Ground, statements: string[]): Promise<void> {
  await db.write(name, async (run) => {
    await run('SET LOCAL session_replication_role = replica; SET LOCAL search_path = payments');
    for (const statement of statements) await run(statement);
  });
}

const KEEP_BEFORE = [
  'CREATE TABLE totals_before AS TABLE portfolio_totals',
  'CREATE TABLE position_before AS TABLE portfolio_position',
];

const FORGET_YESTERDAY = [
  'DELETE FROM portfolio_calendar WHERE day > (SELECT day FROM position_before)',
  'TRUNCATE portfolio_days, portfolio_flows, portfolio_cohorts, portfolio_totals, portfolio_position',
  'INSERT INTO portfolio_totals TABLE totals_before',
  'INSERT INTO portfolio_position TABLE position_before',
];

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function leastOf<Result>(
  { db, name }: Ground,
  rounds: number,
  work: () => Promise<Result>,
  before: () => Promise<void> = () => Promise.resolve(),
): Promise<{ ms: number; pages: number; result: Result }> {
  const all: number[] = [];
  let pages = 0;
  let result: Result | undefined;
  for (let round = 0; round < rounds; round += 1) {
    await before();
    await db.statements(name);
    all.push(await timed(async () => (result = await work())));
    const [read] = await db.query<{ pages: number }>('postgres', PAGES, [name]);
    pages = read?.pages ?? 0;
  }
  return { ms: Math.round(Math.min(...all)), pages, result: result as Result };
}

/** Of 8 kB, that the statements of the service looked at. */
const PAGES = `
  SELECT sum(shared_blks_hit + shared_blks_read)::int AS pages FROM pg_stat_statements
    JOIN pg_roles ON pg_roles.oid = userid JOIN pg_database ON pg_database.oid = dbid
   WHERE datname = $1 AND rolname = 'fiado_payments'`;

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
