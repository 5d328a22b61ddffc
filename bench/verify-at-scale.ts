import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import { Child } from './support/child';
import { cleaningUp } from './support/cleanup';
import { BenchDatabase } from './support/database';
import { openMarket, type Market } from './support/market';
import { peakMemoryMb } from './support/peak-memory';
import { DEBTOR_EVERY, numberStores, seedHistory } from './support/seed-history';
import { sendSteadily } from './support/steady-load';
import { drawSecrets, System } from './support/system';

const ROOT = resolve(__dirname, '../..');
const DATABASE = 'fiado_history';
/** Orders in a second while verify runs. */
const RATE = 20;
const WINDOW_SECONDS = 10;
/** Windows without verify and with it, in turns. */
const WINDOWS = 3;
const LOOK_MS = 100;
/** Thousands of defaults and of reminders, and their jobs. */
const DEFAULTS_DEADLINE_MS = 600_000;

/** Statements of the services, the slowest call first. */
const SLOWEST = `
  SELECT rolname AS role, round(max_exec_time)::int AS "maxMs", calls::int,
         round(mean_exec_time)::int AS "meanMs",
         left(regexp_replace(query, '\\s+', ' ', 'g'), 90) AS statement
    FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
   WHERE rolname LIKE 'fiado\\_%' ORDER BY max_exec_time DESC LIMIT 6`;

/**
 * Measures `fiado verify` on a year of orders that were stored by SQL, at each number of orders: its
 * time, memory and slowest statement, by default and with --all; and how long createTransaction takes
 * beside it.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      orders: { type: 'string', default: '1000000,5000000' },
      stores: { type: 'string', default: '10000' },
    },
  });
  const sizes = values.orders.split(',').map(Number);
  const stores = Number(values.stores);
  await cleaningUp(async (cleanup) => {
    const folder = await cleanup.makeFolder('fiado-verify-');
    const db = await BenchDatabase.start(join(folder, 'postgres'), true);
    cleanup.add(() => db.stop());
    const twilio = await TwilioStandIn.start();
    cleanup.add(() => twilio.stop());
    await db.create(DATABASE);
    const system = new System({
      name: DATABASE,
      databaseUrl: db.urlOf(DATABASE),
      twilio,
      secrets: drawSecrets(),
      folder,
    });
    cleanup.add(() => system.stop());
    await system.start();
    say(`${stores} corner stores, by the API`);
    const market = await openMarket(system, { db, name: DATABASE }, stores);
    await system.stop();
    await numberStores(db, DATABASE, market);
    let from = 0;
    for (const to of sizes) {
      say(`${to} transactions, by SQL`);
      await seedHistory(db, DATABASE, { market, from, to, say });
      from = to;
      const [size] = await db.query<{ gb: string }>(
        DATABASE,
        'SELECT round(pg_database_size(current_database()) / 1e9, 1) AS gb',
      );
      say(`${size?.gb} GB`);
      await system.start();
      await untilDefaultsAreKnown(db);
      for (const args of [[], ['--all']]) await runAlone({ db, system, folder }, args);
      await runBesideOrders({ system, folder }, market);
      await system.stop();
    }
  });
}

interface Ground {
  db: BenchDatabase;
  system: System;
  folder: string;
}

/** Payments finds what is overdue at its start, and tells the other services. */
async function untilDefaultsAreKnown(db: BenchDatabase): Promise<void> {
  const left = `
    SELECT (SELECT count(*) FROM payments.receivables
             WHERE paid_at IS NULL AND NOT in_default AND due_at < now())
         + (SELECT count(*) FROM payments.outbox WHERE done_at IS NULL)
         + (SELECT count(*) FROM transactions.outbox WHERE done_at IS NULL) AS rows`;
  const none = async () => {
    const [row] = await db.query<{ rows: string }>(DATABASE, left);
    return row?.rows === '0';
  };
  await until('every default is known', none, DEFAULTS_DEADLINE_MS);
}

function startVerify({ system, folder }: Omit<Ground, 'db'>, args: string[]): Child {
  return new Child({
    name: `verify${args.join('')}`,
    command: process.execPath,
    args: [`${ROOT}/apps/cli/bin/fiado.cjs`, 'verify', ...args],
    env: { BASE_URL: system.urlOf('gateway'), OPS_API_KEY: system.opsKey },
    folder,
  });
}

async function runAlone({ db, system, folder }: Ground, args: string[]): Promise<void> {
  await db.query(DATABASE, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await db.query(DATABASE, 'SELECT pg_stat_statements_reset()');
  const startedAt = performance.now();
  const verify = startVerify({ system, folder }, args);
  let peakMb = 0;
  while (verify.running) {
    peakMb = Math.max(peakMb, peakMemoryMb(verify.pid));
    await pause(LOOK_MS);
  }
  const failed = await verify.finish().then(
    () => undefined,
    (error: unknown) => error,
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`verify ${args.join(' ')}: ${seconds.toFixed(1)} s, ${peakMb.toFixed(0)} MB`);
  for (const { role, maxMs, meanMs, calls, statement } of await db.query<Slow>(DATABASE, SLOWEST)) {
    say(`  ${maxMs} ms at most, ${meanMs} ms in the mean of ${calls}: ${role}: ${statement}`);
  }
  if (failed !== undefined) throw failed;
}

interface Slow {
  role: string;
  maxMs: number;
  meanMs: number;
  calls: number;
  statement: string;
}

/** Orders at a steady rate while verify is suspended and while it runs, in turns. */
async function runBesideOrders(
  { system, folder }: Omit<Ground, 'db'>,
  market: Market,
): Promise<void> {
  // A store in default may not buy.
  const stores = market.stores.filter((_, at) => at % DEBTOR_EVERY !== DEBTOR_EVERY - 1);
  const world = { market: { ...market, stores } };
  const window = () =>
    sendSteadily(world, system.urlOf('gateway'), { rate: RATE, seconds: WINDOW_SECONDS });
  await window();
  const verify = startVerify({ system, folder }, ['--all']);
  verify.pause();
  for (let n = 0; n < WINDOWS; n += 1) {
    const alone = await window();
    verify.goOn();
    const beside = await window();
    if (!verify.running) say('  verify ended within the window');
    verify.pause();
    say(
      `  createTransaction p50 ${alone.p50Ms} ms, p99 ${alone.p99Ms} ms; ` +
        `beside verify ${beside.p50Ms} ms, ${beside.p99Ms} ms; ` +
        `p99 ${(beside.p99Ms / alone.p99Ms).toFixed(2)} times as long`,
    );
  }
  verify.goOn();
  await verify.stop();
}

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
