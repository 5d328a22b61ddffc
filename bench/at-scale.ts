import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cleanup, cleaningUp } from './support/cleanup';
import { BenchDatabase } from './support/database';
import { openMarket, type Market } from './support/market';
import { buyAndPay } from './support/paid-orders';
import { DEBTOR_EVERY, numberStores, seedHistory } from './support/seed-history';
import { readEveryList } from './support/read-lists';
import { drawSecrets, System } from './support/system';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';

const SMALL = { name: 'fiado_small', orders: 10_000 };
const LARGE = { name: 'fiado_large', orders: Number(process.argv[2] ?? 20_000_000) };
const STORES = 2_000;
/** The part of the orders, the newest, that has all its rows. */
const COMPLETE_PART = 0.05;
/** Orders that go through their whole life while the pages are counted. */
const BOUGHT = 60;
/** The SMS about deliveries may be behind the reminders of all debts; the run goes on without them. */
const DELIVERY_TEXTS_MS = 60_000;
/** Every loop that looks each minute or more often has looked by then. */
const LOOPS_MS = 75_000;
/** A statement that reads fewer pages of 8 kB is cheap, however it grows. */
const FEW_PAGES = 20;
/** Twice the depth of an index is no growth. */
const GROWTH = 1.5;
/** Of a statement's text, what is shown. */
const SHOWN = 150;

/** What a statement costs in one call. */
interface Cost {
  calls: number;
  pages: number;
  ms: number;
  rows: number;
}

/**
 * Counts the pages that each statement of the services reads in one call, at 10 thousand and at 20
 * million orders: orders from createTransaction to their payment, every list, and the loops. Prints the
 * statements that grow. The first argument is another number of orders, the second a folder that keeps
 * the filled databases, with the plans of slow statements in the server's log. The next run with that
 * folder uses a database again whose `-costs.json` is gone.
 */
async function main(): Promise<void> {
  await cleaningUp(async (cleanup) => {
    const kept = process.argv[3];
    const folder = kept ?? (await cleanup.makeFolder('fiado-at-scale-'));
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711);
    await compare(folder, cleanup);
  });
}

interface Ground {
  db: BenchDatabase;
  twilio: TwilioStandIn;
  systemOf: (database: string) => System;
  folder: string;
}

async function compare(folder: string, cleanup: Cleanup): Promise<void> {
  // Nothing of it has to survive a crash.
  const db = await BenchDatabase.start(join(folder, 'postgres'), true, [
    'fsync = off',
    'full_page_writes = off',
    'wal_level = minimal',
    'max_wal_senders = 0',
    `max_wal_size = '2GB'`,
    '"pg_stat_statements.max" = 10000',
  ]);
  cleanup.add(() => db.stop());
  const twilio = await TwilioStandIn.start();
  cleanup.add(() => twilio.stop());
  const secretsFile = join(folder, 'secrets.json');
  const secrets = await keptIn(secretsFile, () => Promise.resolve(drawSecrets()));
  const systemOf = (name: string): System => {
    const system = new System({
      name,
      databaseUrl: db.urlOf(name),
      twilio,
      secrets,
      folder,
      env: { SMS_PER_PHONE_AND_WHOLESALER_PER_DAY: '1000000' },
    });
    cleanup.add(() => system.stop());
    return system;
  };
  const ground: Ground = { db, twilio, systemOf, folder };
  const market = await keptIn(join(folder, 'market.json'), () => openTwoMarkets(ground));
  const costs = [];
  for (const size of [SMALL, LARGE]) {
    const file = join(folder, `${size.name}-costs.json`);
    costs.push(new Map(await keptIn(file, () => costsOf(ground, size, market))));
  }
  const [small, large] = costs;
  if (small !== undefined && large !== undefined) report(small, large);
}

/** What a file of an earlier run has, or what is made now. */
async function keptIn<T>(file: string, make: () => Promise<T>): Promise<T> {
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as T;
  const made = await make();
  await writeFile(file, JSON.stringify(made));
  return made;
}

/** Two databases with the same corner stores, the second a copy of the first. */
async function openTwoMarkets({ db, systemOf }: Ground): Promise<Market> {
  say(`${STORES} corner stores, by the API`);
  await db.create(SMALL.name);
  const system = systemOf(SMALL.name);
  await system.start();
  const market = await openMarket(system, { db, name: SMALL.name }, STORES);
  await system.stop();
  await numberStores(db, SMALL.name, market);
  await db.create(LARGE.name, SMALL.name);
  return market;
}

/** Fills a database, uses it, and counts what its statements read meanwhile. */
async function costsOf(
  { db, twilio, systemOf, folder }: Ground,
  { name, orders }: typeof SMALL,
  market: Market,
): Promise<Array<[statement: string, cost: Cost]>> {
  await keptIn(join(folder, `${name}-filled.json`), async () => {
    say(`${orders} orders, by SQL`);
    const completeFrom = orders * (1 - COMPLETE_PART);
    await seedHistory(db, name, { market, from: 0, to: orders, completeFrom, say });
    await explainSlow(db, name);
    return orders;
  });
  say(`${name} is used`);
  const system = systemOf(name);
  await db.query('postgres', 'SELECT pg_stat_statements_reset()');
  await system.start();
  await use({ db, twilio, systemOf, folder }, system, market);
  const costs = await readCosts(db, name);
  await system.stop();
  return costs;
}

async function use({ twilio }: Ground, system: System, market: Market): Promise<void> {
  // A store in default may not buy.
  const buyers = market.stores.filter((_, at) => at % DEBTOR_EVERY !== DEBTOR_EVERY - 1);
  const boughtBy = { ...market, stores: buyers.slice(0, BOUGHT) };
  const told = await buyAndPay(
    { system, market: boughtBy, twilio, deliveryTextsMs: DELIVERY_TEXTS_MS },
    BOUGHT,
  );
  if (told < BOUGHT) say(`  ${told} of ${BOUGHT} deliveries were told before they were paid`);
  for (const failed of await readEveryList(system, market)) say(`  ${failed}`);
  await pause(LOOPS_MS);
}

/** The plans of statements of 50 ms and more go to the server's log. */
async function explainSlow(db: BenchDatabase, database: string): Promise<void> {
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    `auto_explain.log_min_duration = '50ms'`,
    'auto_explain.log_analyze = on',
    'auto_explain.log_timing = off',
    'auto_explain.log_buffers = on',
    'auto_explain.log_nested_statements = on',
  ]) {
    await db.query(database, `ALTER DATABASE ${database} SET ${setting}`);
  }
}

async function readCosts(
  db: BenchDatabase,
  database: string,
): Promise<Array<[statement: string, cost: Cost]>> {
  const rows = await db.query<Cost & { role: string; query: string }>(
    'postgres',
    `SELECT rolname AS role, query, sum(calls)::float8 AS calls,
            (sum(shared_blks_hit + shared_blks_read) / sum(calls))::float8 AS pages,
            (sum(total_exec_time) / sum(calls))::float8 AS ms, (sum(rows) / sum(calls))::float8 AS rows
       FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
       JOIN pg_database ON pg_database.oid = dbid
      WHERE datname = $1 AND rolname LIKE 'fiado\\_%' GROUP BY 1, 2`,
    [database],
  );
  return rows.map(({ role, query, ...cost }) => [`${role}: ${query.replace(/\s+/g, ' ')}`, cost]);
}

function report(small: Map<string, Cost>, large: Map<string, Cost>): void {
  const grown = [...large]
    .map(([statement, after]) => ({ statement, after, before: small.get(statement) }))
    .filter(
      ({ after, before }) => after.pages > FEW_PAGES && after.pages > GROWTH * (before?.pages ?? 0),
    )
    .toSorted((a, b) => b.after.pages - a.after.pages);
  say(`${large.size} statements, of which ${grown.length} grow`);
  say('| statement | calls | pages before | pages after | time |');
  say('| --- | --- | --- | --- | --- |');
  for (const { statement, after, before } of grown) {
    const [pagesBefore, time] = before
      ? [before.pages.toFixed(0), `${(after.ms / before.ms).toFixed(1)} ×`]
      : ['-', '-'];
    const text = statement.slice(0, SHOWN).replaceAll('|', '\\|');
    say(`| ${text} | ${after.calls} | ${pagesBefore} | ${after.pages.toFixed(0)} | ${time} |`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
