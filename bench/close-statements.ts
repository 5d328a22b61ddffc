import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import { cleaningUp } from './support/cleanup';
import { BenchDatabase } from './support/database';
import { describeMachine } from './support/machine';
import { openMarket, type Market } from './support/market';
import { sendSteadily } from './support/steady-load';
import { drawSecrets, System } from './support/system';

const DATABASE = 'fiado_statements';
const STORES = 200;
/** Orders in a second. */
const RATE = 20;
/** Of the orders before each closing: as many as beside it are too few for a p99. */
const WINDOW_SECONDS = 20;
const ROUNDS = 3;
/** A closing of three times the lines that a wholesaler may have. */
const CLOSING_DEADLINE_MS = 300_000;

/**
 * Measures how long the closing of a statement takes, by itself and while orders of the same wholesaler
 * come at a steady rate, and how long createTransaction takes before the closing and beside it.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { lines: { type: 'string', default: '300000' } } });
  const lines = Number(values.lines);
  await cleaningUp(async (cleanup) => {
    const folder = await cleanup.makeFolder('fiado-statements-');
    const machine = describeMachine();
    say(`${machine.cores} × ${machine.cpu}, load ${machine.loadBefore}`);
    const db = await BenchDatabase.start(join(folder, 'postgres'), true);
    cleanup.add(() => db.stop());
    const twilio = await TwilioStandIn.start();
    cleanup.add(() => twilio.stop());
    await db.create(DATABASE);
    const databaseUrl = db.urlOf(DATABASE);
    const secrets = drawSecrets();
    const system = new System({ name: DATABASE, databaseUrl, twilio, secrets, folder });
    cleanup.add(() => system.stop());
    await system.start();
    const market = await openMarket(system, { db, name: DATABASE }, STORES);
    const ground = { db, system, market };
    await fill(ground, lines);
    say(`${lines} lines, alone: ${seconds(await close(ground))}`);
    for (let round = 0; round < ROUNDS; round += 1) await closeBesideOrders(ground, lines);
  });
}

interface Ground {
  db: BenchDatabase;
  system: System;
  market: Market;
}

/** Lines of deliveries of the last week. No closing reads their orders. */
async function fill({ db, market }: Ground, lines: number): Promise<void> {
  await db.write(DATABASE, (run) =>
    run(
      `INSERT INTO transactions.settlement_lines
         (wholesaler_id, kind, source_id, transaction_id, gross_cents, commission_cents, recorded_at)
       SELECT $1, 'delivery', id, id, amount, round(amount * 0.02),
              now() - interval '7 days' * (1 - n / $2::float8)
         FROM (SELECT n, uuidv7() AS id, 15000 + (n % 50) * 1050 AS amount
                 FROM generate_series(1, $2::int) AS n) AS delivered ORDER BY n`,
      [market.wholesalerId, lines],
    ),
  );
  await db.query(DATABASE, 'VACUUM (ANALYZE) transactions.settlement_lines');
  await db.query(DATABASE, 'CHECKPOINT');
}

/**
 * Closes as ops does. The gateway waits ten seconds for an answer, and the closing goes on without it.
 * @returns milliseconds until the statement is stored
 */
async function close({ db, system, market }: Ground): Promise<number> {
  const stored = async () => {
    const [row] = await db.query<{ count: number }>(
      DATABASE,
      'SELECT count(*)::int AS count FROM transactions.statements',
    );
    return row?.count ?? 0;
  };
  const before = await stored();
  const { wholesalerId } = market;
  const body = { wholesalerId, until: new Date().toISOString() };
  const startedAt = performance.now();
  const asking = system.ops('POST', '/admin/statements/close', body).catch(() => undefined);
  await until('it is closed', async () => (await stored()) > before, CLOSING_DEADLINE_MS);
  const took = performance.now() - startedAt;
  await asking;
  return took;
}

async function closeBesideOrders(ground: Ground, lines: number): Promise<void> {
  const { system, market } = ground;
  await fill(ground, lines);
  const orders = (window: number) =>
    sendSteadily({ market }, system.urlOf('gateway'), {
      rate: RATE,
      seconds: window,
    });
  const before = await orders(WINDOW_SECONDS);
  const closed: number[] = [];
  const closing = close(ground).then((ms) => closed.push(ms));
  const beside = [];
  while (closed.length === 0) beside.push(await orders(1));
  await closing;
  const placed = beside.reduce((sum, one) => sum + one.placed, 0);
  say(
    `${lines} lines beside ${RATE} orders a second: ${seconds(closed[0] ?? 0)}; createTransaction ` +
      `p50 ${before.p50Ms} ms, p99 ${before.p99Ms} ms before; ${placed} orders beside it: ` +
      `p50 at most ${Math.max(...beside.map(({ p50Ms }) => p50Ms))} ms, the slowest ` +
      `${Math.max(...beside.map(({ p99Ms }) => p99Ms))} ms`,
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
