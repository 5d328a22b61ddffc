import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import { cleaningUp } from './support/cleanup';
import { BenchDatabase } from './support/database';
import { openMarket, type Market } from './support/market';
import { peakMemoryMb } from './support/peak-memory';
import { DEBTOR_EVERY, numberStores, seedHistory } from './support/seed-history';
import { sendSteadily } from './support/steady-load';
import { drawSecrets, System, type Secrets } from './support/system';

const DATABASE = 'fiado_reports';
const STORES = 2_000;
/** Orders in a second beside the exports and the day. */
const RATE = 20;
const WINDOW_SECONDS = 10;
const DEADLINE_MS = 900_000;

const EXPORTS = [
  ['orders', 'transactions'],
  ['debts', 'payments'],
  ['ledger-entries', 'payments'],
] as const;

/**
 * All debts are owed and due in some weeks, so that payments has nothing to remind of: the most that
 * a day of the portfolio can have to read.
 */
const OWE_ALL = [
  'SET LOCAL session_replication_role = replica',
  `UPDATE payments.receivables
      SET paid_at = NULL, paid_principal_cents = 0, paid_interest_cents = 0, paid_iva_cents = 0,
          in_default = false, due_on = current_date + 10 + (principal_cents % 30)::int,
          due_at = now() + make_interval(days => 10 + (principal_cents % 30)::int)`,
];

/** The portfolio has all days but yesterday; its first day is a Monday a year ago. */
const MISS_YESTERDAY = [
  'SET LOCAL session_replication_role = replica',
  'DELETE FROM payments.portfolio_calendar',
  'DELETE FROM payments.portfolio_days',
  'DELETE FROM payments.portfolio_flows',
  'DELETE FROM payments.portfolio_cohorts',
  `INSERT INTO payments.portfolio_calendar (day, starts_at, ends_at)
   SELECT day, day::timestamp AT TIME ZONE zone, (day + 1)::timestamp AT TIME ZONE zone
     FROM (VALUES ('America/Mexico_City')) AS of (zone),
          LATERAL (SELECT (now() AT TIME ZONE zone)::date AS today) local,
          LATERAL (VALUES (date_trunc('week', today - 365)::date), (today - 2)) AS kept (day)`,
];

interface Ground {
  db: BenchDatabase;
  system: System;
  market: Market;
}

/** Measures exports and a day of the portfolio at so many orders, and createTransaction beside them. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      orders: { type: 'string', default: '1000000' },
      folder: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  await cleaningUp(async (cleanup) => {
    const folder = values.folder ?? (await cleanup.makeFolder('fiado-reports-'));
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o711);
    const db = await BenchDatabase.start(join(folder, 'postgres'), true);
    cleanup.add(() => db.stop());
    const twilio = await TwilioStandIn.start();
    cleanup.add(() => twilio.stop());
    const filled = join(folder, 'filled.json');
    const known = existsSync(filled)
      ? (JSON.parse(readFileSync(filled, 'utf8')) as { secrets: Secrets; market: Market })
      : undefined;
    const secrets = known?.secrets ?? drawSecrets();
    const system = new System({
      name: DATABASE,
      databaseUrl: db.urlOf(DATABASE),
      twilio,
      secrets,
      folder,
      ...(values.profile === undefined ? {} : { profileInto: values.profile }),
    });
    cleanup.add(() => system.stop());
    const market = known?.market ?? (await fill(db, system, Number(values.orders)));
    writeFileSync(filled, JSON.stringify({ secrets, market }));
    await db.write(DATABASE, (run) => inTurn(MISS_YESTERDAY, run));
    await system.start();
    const ground = { db, system, market };
    await measureDay(ground);
    for (const [kind, service] of EXPORTS) await measureExport(ground, kind, service);
  });
}

async function inTurn(statements: string[], run: (sql: string) => Promise<unknown>): Promise<void> {
  for (const statement of statements) await run(statement);
}

async function fill(db: BenchDatabase, system: System, orders: number): Promise<Market> {
  await db.create(DATABASE);
  await system.start();
  say(`${STORES} corner stores, by the API`);
  const market = await openMarket(system, { db, name: DATABASE }, STORES);
  await system.stop();
  await numberStores(db, DATABASE, market);
  say(`${orders} transactions, by SQL`);
  await seedHistory(db, DATABASE, { market, from: 0, to: orders, say });
  await db.write(DATABASE, (run) => inTurn(OWE_ALL, run));
  await db.query(DATABASE, 'VACUUM (FULL, ANALYZE) payments.receivables');
  await db.query(DATABASE, 'CHECKPOINT');
  return market;
}

/** Orders of stores that may buy, at a steady rate. */
function orders({ system, market }: Ground): ReturnType<typeof sendSteadily> {
  const stores = market.stores.filter((_, at) => at % DEBTOR_EVERY !== DEBTOR_EVERY - 1);
  const world = { market: { ...market, stores } };
  return sendSteadily(world, system.urlOf('gateway'), { rate: RATE, seconds: WINDOW_SECONDS });
}

/** Says how long orders took alone, and beside something that is started. */
async function besideOrders(ground: Ground, what: string, start: () => unknown): Promise<void> {
  await orders(ground);
  const alone = await orders(ground);
  const beside = orders(ground);
  await start();
  const { p50Ms, p99Ms } = await beside;
  say(
    `  createTransaction p50 ${alone.p50Ms} ms, p99 ${alone.p99Ms} ms; ` +
      `beside ${what} ${p50Ms} ms, ${p99Ms} ms`,
  );
}

/** Yesterday, which payments fills once at its start, and once more beside orders. */
async function measureDay(ground: Ground): Promise<void> {
  const { db, system } = ground;
  const times = (): string[] => {
    const log = system.services.get('payments')?.tail() ?? '';
    return [...log.matchAll(/"ms":(\d+),"msg":"portfolio filled"/g)].map(([, ms = '']) => ms);
  };
  const report = async (days: number): Promise<void> => {
    await until('the log has the day', () => times().length >= days, DEADLINE_MS);
    const ms = times().at(-1);
    say(`a day of the portfolio: ${ms} ms; payments ${memoryOf(system, 'payments')} MB`);
  };
  await until('yesterday is in the portfolio', () => isFilled(db), DEADLINE_MS);
  await report(1);
  const known = times().length;
  await besideOrders(ground, 'the day', async () => {
    await system.stopService('payments');
    await db.write(DATABASE, (run) => inTurn(MISS_YESTERDAY, run));
    await system.startService('payments');
  });
  await report(known + 1);
}

async function isFilled(db: BenchDatabase): Promise<boolean> {
  const [row] = await db.query<{ days: number }>(
    DATABASE,
    'SELECT count(*)::int AS days FROM payments.portfolio_calendar',
  );
  return row?.days === 3;
}

interface Made {
  exportId: string;
  status: string;
  rows: number;
  bytes: number;
}

/** An export of all that there is, first alone and then beside orders. */
async function measureExport(
  ground: Ground,
  kind: string,
  service: 'transactions' | 'payments',
): Promise<void> {
  const { system } = ground;
  const start = (): Promise<Made> =>
    system.ops<Made>('POST', `/admin/exports/${kind}`, {
      from: new Date(Date.now() - 400 * 86_400_000).toISOString(),
      to: new Date(Date.now() - 15 * 60_000).toISOString(),
      format: 'csv',
    });
  const untilReady = async ({ exportId }: Made): Promise<Made> => {
    let shown: Made | undefined;
    await until(
      'the export is ready',
      async () => {
        shown = await system.ops<Made>('GET', `/admin/exports/${kind}/${exportId}`);
        return shown.status === 'ready';
      },
      DEADLINE_MS,
    );
    if (shown === undefined) throw new Error('The export was shown');
    return shown;
  };
  const startedAt = performance.now();
  const { rows, bytes } = await untilReady(await start());
  const seconds = (performance.now() - startedAt) / 1_000;
  say(
    `export of ${kind}: ${seconds.toFixed(1)} s, ${rows} rows, ${(bytes / 1e6).toFixed(0)} MB; ` +
      `${service} ${memoryOf(system, service)} MB`,
  );
  let second: Made | undefined;
  await besideOrders(ground, `an export of ${kind}`, async () => {
    second = await start();
  });
  if (second !== undefined) await untilReady(second);
}

function memoryOf(system: System, service: string): string {
  return peakMemoryMb(system.services.get(service)?.pid ?? 0).toFixed(0);
}

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
