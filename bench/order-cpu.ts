import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RedisServer } from '@fiado/chassis/testing/redis-server';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { type Cleanup, cleaningUp } from './support/cleanup';
import { cpuSeconds } from './support/cpu';
import { BenchDatabase } from './support/database';
import { Load } from './support/load';
import { openMarket } from './support/market';
import { orderOf, untilCalled } from './support/order-load';
import { drawSecrets, System } from './support/system';

const DATABASE = 'fiado_cpu';
const STORES = 2_000;
/** Orders before the measured ones, so that V8 has compiled the hot functions. */
const FIRST_ORDERS = 3_000;

const HELP = `npm run bench:order-cpu [-- --orders 5000 --connections 32 --redis --statements]

Divides the CPU time of an order with its SMS by process, from /proc, and that of Postgres by role,
from pg_stat_statements. CPU time hardly depends on what else the machine does.

  --orders N        orders that are measured (5000)
  --connections N   requests at the same time (32)
  --redis           queues on a Redis of its own, not on Postgres
  --statements      the statements of Postgres that cost most
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      orders: { type: 'string', default: '5000' },
      connections: { type: 'string', default: '32' },
      redis: { type: 'boolean', default: false },
      statements: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  await cleaningUp(async (cleanup) => {
    await measure(cleanup, {
      orders: Number(values.orders),
      connections: Number(values.connections),
      onRedis: values.redis,
      showStatements: values.statements,
    });
  });
}

interface Options {
  orders: number;
  connections: number;
  onRedis: boolean;
  showStatements: boolean;
}

async function measure(cleanup: Cleanup, options: Options): Promise<void> {
  const { orders, connections, onRedis } = options;
  const folder = await mkdtemp(join(tmpdir(), 'fiado-order-cpu-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  const db = await BenchDatabase.start(join(folder, 'postgres'), true);
  cleanup.add(() => db.stop());
  const twilio = await TwilioStandIn.start();
  cleanup.add(() => twilio.stop());
  const redis = onRedis ? await RedisServer.start() : undefined;
  if (redis !== undefined) cleanup.add(() => redis.stop());
  await db.create(DATABASE);
  const system = new System({
    name: DATABASE,
    databaseUrl: db.urlOf(DATABASE),
    ...(redis === undefined ? {} : { redisUrl: redis.url }),
    twilio,
    secrets: drawSecrets(),
    folder,
  });
  cleanup.add(() => system.stop());
  await system.start();
  const market = await openMarket(system, { db, name: DATABASE }, STORES);

  let sent = 0;
  const place = async (amount: number): Promise<number> => {
    const load = new Load({
      url: system.urlOf('gateway'),
      headers: { authorization: market.apiKey },
      connections,
      amount,
      draw: () => orderOf({ market }, (sent += 1)),
    });
    const called = twilio.posts.length;
    const { perSecond } = await load.round(0);
    await untilCalled({ twilio }, called + amount);
    return perSecond;
  };
  await place(FIRST_ORDERS);
  await db.query('postgres', 'SELECT pg_stat_statements_reset()');

  const serverPid = await db.serverPid();
  const pids = new Map([...system.services].map(([name, { pid }]) => [name, pid] as const));
  if (redis !== undefined) pids.set('Redis', redis.pid);
  const before = cpuSeconds(pids, serverPid);
  const perSecond = await place(orders);
  const after = cpuSeconds(pids, serverPid);

  const cpu = new Map(
    [...after].map(([name, used]) => [name, (1_000 * (used - (before.get(name) ?? 0))) / orders]),
  );
  await report(db, { ...options, perSecond, cpu });
}

/** Prints the division, and the statements of Postgres by role. */
async function report(
  db: BenchDatabase,
  {
    orders,
    connections,
    onRedis,
    showStatements,
    perSecond,
    cpu,
  }: Options & { perSecond: number; cpu: Map<string, number> },
): Promise<void> {
  const queues = onRedis ? 'Redis' : 'Postgres';
  say(`${orders} orders with their SMS, ${connections} connections, queues on ${queues}`);
  say(`${perSecond.toFixed(0)} orders a second; CPU time of an order, in milliseconds`);
  const together = [...cpu.values()].reduce((sum, ms) => sum + ms, 0);
  for (const [name, ms] of [...cpu, ['together', together] as const]) {
    say(`  ${name.padEnd(14)}${ms.toFixed(3)}`);
  }
  const roles = await db.query<{ role: string; ms: number; calls: number }>(
    'postgres',
    `SELECT rolname AS role, sum(total_exec_time + total_plan_time)::float8 AS ms, sum(calls)::float8 AS calls
       FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
      WHERE rolname LIKE 'fiado%' GROUP BY 1 ORDER BY 2 DESC`,
  );
  say('time in statements of Postgres of an order, in milliseconds, and statements');
  for (const { role, ms, calls } of roles) {
    say(`  ${role.padEnd(24)}${(ms / orders).toFixed(3)}  ${(calls / orders).toFixed(2)}`);
  }
  if (!showStatements) return;
  for (const { role, statement, calls, totalMs } of await db.statements(DATABASE)) {
    say(`  ${String(totalMs).padStart(7)} ms ${String(calls).padStart(7)} × ${role}: ${statement}`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
