import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nextContactTime } from '@fiado/contracts/contact-hours';
import { type Cleanup, cleaningUp } from './support/cleanup';
import { BenchDatabase } from './support/database';
import { openMarket } from './support/market';
import { buyAndPay } from './support/paid-orders';
import { drawSecrets, System } from './support/system';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';

const ORDERS = Number(process.argv[2] ?? 2_000);
/** Orders of a first round, so that no page and no row that all orders share is new. */
const FIRST_ORDERS = 200;
/** A store gets at most three SMS about deliveries in a day. */
const STORES = 1_000;
const DATABASE = 'fiado_size';
const SETTLE_MS = 600_000;
const POLL_MS = 2_000;

/** A table's bytes, by kind. */
interface Size {
  table: string;
  rows: number;
  heap: number;
  toast: number;
  indexes: number;
}

/**
 * Measures how many bytes an order leaves in every table, from createTransaction to its payment, with
 * all its SMS and with the queues in Postgres: before and after orders that come through the API, each
 * time after a VACUUM FULL. Prints a table in Markdown.
 */
async function main(): Promise<void> {
  const now = new Date();
  if (nextContactTime(now, 'America/Mexico_City').at > now) {
    throw new Error('SMS about debts are sent from 9 to 20 o’clock of Mexico City: run it then');
  }
  await cleaningUp(async (cleanup) => {
    const folder = await cleanup.makeFolder('fiado-order-size-');
    await measure(folder, cleanup);
  });
}

async function measure(folder: string, cleanup: Cleanup): Promise<void> {
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
    env: { SMS_PER_PHONE_AND_WHOLESALER_PER_DAY: '1000000' },
  });
  cleanup.add(() => system.stop());
  await system.start();
  const market = await openMarket(system, { db, name: DATABASE }, STORES);
  const parties = { system, market, twilio };

  await buyAndPay(parties, FIRST_ORDERS);
  await untilSettled(db, FIRST_ORDERS);
  const before = await sizes(db);
  await db.query('postgres', 'SELECT pg_stat_statements_reset()');
  const walBefore = await walBytes(db);

  await buyAndPay(parties, ORDERS);
  await untilSettled(db, FIRST_ORDERS + ORDERS);
  const wal = (await walBytes(db)) - walBefore;
  const walOfRoles = await walByRole(db);
  const used = new Map((await sizes(db, false)).map((size) => [size.table, size]));
  const after = await sizes(db);

  say(`${ORDERS} orders with three lines, all their SMS and one deposit each; bytes for one\n`);
  say('| table | rows | heap | TOAST | indexes | together | with dead rows |');
  say('| --- | --- | --- | --- | --- | --- | --- |');
  const of = new Map(before.map((size) => [size.table, size]));
  const sums = new Map<string, number>();
  for (const size of after) {
    const old = of.get(size.table);
    const less = (kind: Exclude<keyof Size, 'table'>) => (size[kind] - (old?.[kind] ?? 0)) / ORDERS;
    const together = less('heap') + less('toast') + less('indexes');
    if (less('rows') < 0.01 && together < 1) continue;
    const [schema = ''] = size.table.split('.');
    sums.set(schema, (sums.get(schema) ?? 0) + together);
    const full = used.get(size.table);
    const before_ = (old?.heap ?? 0) + (old?.toast ?? 0) + (old?.indexes ?? 0);
    const dead = ((full?.heap ?? 0) + (full?.toast ?? 0) + (full?.indexes ?? 0) - before_) / ORDERS;
    const kinds = [less('heap'), less('toast'), less('indexes'), together, dead];
    say(`| ${size.table} | ${less('rows').toFixed(2)} | ${kinds.map(bytes).join(' | ')} |`);
  }
  say('');
  for (const [schema, sum] of sums) say(`${schema}: ${bytes(sum)} bytes`);
  say(`write-ahead log: ${bytes(wal / ORDERS)} bytes, of which`);
  for (const { role, kept, images } of walOfRoles) {
    say(`  ${role}: ${bytes(kept / ORDERS)} bytes, ${(images / ORDERS).toFixed(1)} page images`);
  }
}

/** Waits until all orders are paid, every notice and SMS is sent, and every job is done. */
async function untilSettled(db: BenchDatabase, orders: number): Promise<void> {
  const endsAt = Date.now() + SETTLE_MS;
  for (;;) {
    const [row] = await db.query<{ paid: number; waiting: number; open: number }>(
      DATABASE,
      `SELECT (SELECT count(*) FROM transactions.transactions WHERE status = 'paid')::int AS paid,
              (SELECT count(*) FROM payments.notices WHERE state = 'waiting')::int
              + (SELECT count(*) FROM notifier.messages WHERE status <> 'sent')::int AS waiting,
              (SELECT count(*) FROM accounts.outbox WHERE done_at IS NULL)::int
              + (SELECT count(*) FROM transactions.outbox WHERE done_at IS NULL)::int
              + (SELECT count(*) FROM payments.outbox WHERE done_at IS NULL)::int
              + (SELECT count(*) FROM notifier.outbox WHERE done_at IS NULL)::int AS open`,
    );
    if (row?.paid === orders && row.waiting === 0 && row.open === 0) return;
    if (Date.now() > endsAt) throw new Error(`not settled: ${JSON.stringify(row)}`);
    await pause(POLL_MS);
  }
}

/** Bytes of all tables of the services and of BullMQ, at least without dead rows. */
async function sizes(db: BenchDatabase, compact = true): Promise<Size[]> {
  if (compact) await db.query(DATABASE, 'VACUUM (FULL, ANALYZE)');
  const tables = await db.query<Omit<Size, 'rows'>>(
    DATABASE,
    `SELECT nspname || '.' || relname AS table,
            (pg_table_size(c.oid) - coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0))::float8
              AS heap,
            coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0)::float8 AS toast,
            pg_indexes_size(c.oid)::float8 AS indexes
       FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema')
      ORDER BY 1`,
  );
  const found: Size[] = [];
  for (const table of tables) {
    const [schema, name] = table.table.split('.');
    const sql = `SELECT count(*)::float8 AS rows FROM "${schema}"."${name}"`;
    const [row] = await db.query<{ rows: number }>(DATABASE, sql);
    found.push({ ...table, rows: row?.rows ?? 0 });
  }
  return found;
}

async function walBytes(db: BenchDatabase): Promise<number> {
  const sql = "SELECT (pg_current_wal_lsn() - '0/0')::float8 AS bytes";
  return (await db.query<{ bytes: number }>(DATABASE, sql))[0]?.bytes ?? 0;
}

/** Bytes that the statements of each role wrote, and how many of them are images of pages. */
function walByRole(
  db: BenchDatabase,
): Promise<Array<{ role: string; kept: number; images: number }>> {
  return db.query(
    'postgres',
    `SELECT rolname AS role, sum(wal_bytes)::float8 AS kept, sum(wal_fpi)::float8 AS images
       FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
      WHERE rolname LIKE 'fiado%' GROUP BY 1 ORDER BY 2 DESC`,
  );
}

const bytes = (count: number): string => Math.round(count).toLocaleString('en-US');

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
