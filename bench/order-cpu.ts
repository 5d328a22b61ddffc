import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { RedisServer } from '@fiado/chassis/testing/redis-server';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import { median } from './support/alternate';
import { type Cleanup, cleaningUp } from './support/cleanup';
import { BenchDatabase } from './support/database';
import { createEndpoint, startReceiver, type Receiver } from './support/endpoints';
import { Load } from './support/load';
import { openMarket } from './support/market';
import {
  cpuInTurns,
  meanOfTurns,
  ratioOfTurns,
  totalOf,
  type CpuSubject,
} from './support/order-cpu';
import { orderOf, untilCalled } from './support/order-load';
import { drawSecrets, System } from './support/system';

const STORES = 2_000;
/** Orders before the measured ones, so that V8 has compiled the hot functions. */
const FIRST_ORDERS = 3_000;
/** Of each build, where there are two: A B B A A B. */
const TURNS = 6;
/** An endpoint takes four events at a time. */
const WEBHOOKS_DEADLINE_MS = 120_000;

const HELP = `npm run bench:order-cpu [-- --orders 5000 --connections 32 --redis --webhook --statements --other FOLDER]

Divides the CPU time of an order with its SMS by process, from /proc, and that of Postgres by role,
from pg_stat_statements. CPU time hardly depends on what else the machine does.

  --orders N        orders that are measured (5000)
  --connections N   requests at the same time (32)
  --redis           queues on a Redis of its own, not on Postgres
  --webhook         with an endpoint that takes the event of each order
  --statements      the statements of Postgres that cost most
  --other FOLDER    root of another build of this repository, measured in ${TURNS} turns with this one; the
                    last line is the ratio, the median of those of the turns
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      orders: { type: 'string', default: '5000' },
      connections: { type: 'string', default: '32' },
      redis: { type: 'boolean', default: false },
      webhook: { type: 'boolean', default: false },
      statements: { type: 'boolean', default: false },
      other: { type: 'string' },
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
      hasWebhook: values.webhook,
      showStatements: values.statements,
      otherRoot: values.other === undefined ? undefined : resolve(values.other),
    });
  });
}

interface Options {
  orders: number;
  connections: number;
  onRedis: boolean;
  hasWebhook: boolean;
  showStatements: boolean;
  otherRoot: string | undefined;
}

/** What all builds share. */
interface Bench {
  cleanup: Cleanup;
  folder: string;
  db: BenchDatabase;
  twilio: TwilioStandIn;
  redis: RedisServer | undefined;
  /** Takes the events of orders; undefined where there are no webhooks. */
  receiver: Receiver | undefined;
}

async function measure(cleanup: Cleanup, options: Options): Promise<void> {
  const { orders, connections, onRedis, hasWebhook, otherRoot } = options;
  const folder = await cleanup.makeFolder('fiado-order-cpu-');
  const db = await BenchDatabase.start(join(folder, 'postgres'), true);
  cleanup.add(() => db.stop());
  const twilio = await TwilioStandIn.start();
  cleanup.add(() => twilio.stop());
  const redis = onRedis ? await RedisServer.start() : undefined;
  if (redis !== undefined) cleanup.add(() => redis.stop());
  const receiver = hasWebhook ? await startReceiver({ cleanup }, { answers: true }) : undefined;
  const bench = { cleanup, folder, db, twilio, redis, receiver };

  const turns = otherRoot === undefined ? 1 : TURNS;
  const ofTurn = { connections, orders: Math.ceil(orders / turns) };
  const builds = [await startBuild(bench, ofTurn, { name: 'fiado_cpu' })];
  if (otherRoot !== undefined) {
    builds.push(await startBuild(bench, ofTurn, { name: 'fiado_cpu_other', root: otherRoot }));
  }
  await db.query('postgres', 'SELECT pg_stat_statements_reset()');
  const results = await cpuInTurns(db, builds, turns);
  const queues = onRedis ? 'Redis' : 'Postgres';
  for (const [at, { name, root, rates }] of builds.entries()) {
    const count = ofTurn.orders * rates.length;
    say(root ?? 'this build');
    say(
      `${count} orders with their SMS${hasWebhook ? ' and a webhook' : ''}, ${connections} connections, queues on ${queues}`,
    );
    say(`${median(rates).toFixed(0)} orders a second; CPU time of an order, in milliseconds`);
    const cpu = meanOfTurns(results[at] ?? []);
    for (const [part, ms] of [...Object.entries(cpu), ['together', totalOf(cpu)] as const]) {
      say(`  ${part.padEnd(14)}${ms.toFixed(3)}`);
    }
    await reportPostgres(db, { ...options, orders: count, database: name });
  }
  const [own = [], other] = results;
  if (other === undefined) return;
  const ratio = ratioOfTurns(own, other);
  say(`CPU time of an order in that of ${otherRoot}: ${ratio.toFixed(2)}`);
}

/** A build that runs, and has placed its first orders. */
interface Build extends CpuSubject {
  name: string;
  root?: string;
  /** Orders in a second, of each turn. */
  rates: number[];
}

async function startBuild(
  { cleanup, folder, db, twilio, redis, receiver }: Bench,
  { connections, orders }: { connections: number; orders: number },
  build: { name: string; root?: string },
): Promise<Build> {
  const { name } = build;
  await db.create(name);
  const system = new System({
    ...build,
    databaseUrl: db.urlOf(name),
    ...(redis === undefined ? {} : { redisUrl: redis.url }),
    twilio,
    secrets: drawSecrets(),
    folder,
  });
  cleanup.add(() => system.stop());
  await system.start();
  const market = await openMarket(system, { db, name }, STORES);
  if (receiver !== undefined) await createEndpoint(system, market.apiKey, receiver.url);

  let sent = 0;
  const placeSome = async (amount: number): Promise<number> => {
    const load = new Load({
      url: system.urlOf('gateway'),
      headers: { authorization: market.apiKey },
      connections,
      amount,
      draw: () => orderOf({ market }, (sent += 1)),
    });
    const [called, received] = [twilio.posts.length, receiver?.connections ?? 0];
    const { perSecond } = await load.round(0);
    await untilCalled({ twilio }, called + amount);
    const all = () => receiver === undefined || receiver.connections >= received + amount;
    await until('all webhooks are received', all, WEBHOOKS_DEADLINE_MS);
    return perSecond;
  };
  await placeSome(FIRST_ORDERS);
  // As autovacuum does within a minute or two. Plans of tables without statistics differ from one run to the next.
  await db.query(name, 'ANALYZE');
  const rates: number[] = [];
  const place = async (): Promise<number> => {
    rates.push(await placeSome(orders));
    return orders;
  };
  return { ...build, system, redis, rates, place };
}

/** Prints what an order takes in Postgres by role, and the statements. */
async function reportPostgres(
  db: BenchDatabase,
  { orders, showStatements, database }: Options & { database: string },
): Promise<void> {
  const roles = await db.query<{ role: string; ms: number; calls: number }>(
    'postgres',
    `SELECT rolname AS role, sum(total_exec_time + total_plan_time)::float8 AS ms, sum(calls)::float8 AS calls
       FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
       JOIN pg_database ON pg_database.oid = dbid
      WHERE datname = $1 AND rolname LIKE 'fiado%' GROUP BY 1 ORDER BY 2 DESC`,
    [database],
  );
  say('time in statements of Postgres of an order, in milliseconds, and statements');
  for (const { role, ms, calls } of roles) {
    say(`  ${role.padEnd(24)}${(ms / orders).toFixed(3)}  ${(calls / orders).toFixed(2)}`);
  }
  if (!showStatements) return;
  for (const { role, statement, calls, totalMs } of await db.statements(database)) {
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
