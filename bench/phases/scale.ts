import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { orderLoad, ordersWithSms, untilCalled } from '../support/order-load';
import {
  cpuInTurns,
  cpuOfOrder,
  meanOfTurns,
  ratioOfTurns,
  totalOf,
  type CpuOfOrder,
} from '../support/order-cpu';
import { sendSteadily } from '../support/steady-load';
import type { System } from '../support/system';
import { rowFinding, type Finding, type PhaseResult, type World } from '../support/world';
import type { BenchDatabase } from '../support/database';

/** What Postgres and Redis have done so far. */
interface WorkDone {
  walBytes: number;
  /** Times that Postgres waited for the disk to have the write-ahead log. */
  walSyncs: number;
  commits: number;
  /** Absent where the queues are in Postgres. */
  redisCommands?: number;
}

const OF_POSTGRES = `
  SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes",
         (SELECT sum(fsyncs)::float8 FROM pg_stat_io WHERE object = 'wal') AS "walSyncs",
         (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = $1) AS commits`;

async function workDone(
  db: BenchDatabase,
  database: string,
  redisUrl: string | undefined,
): Promise<WorkDone> {
  const [row] = await db.query<WorkDone>('postgres', OF_POSTGRES, [database]);
  if (row === undefined) throw new Error('Postgres has no statistics');
  if (redisUrl === undefined) return row;
  const redis = new Redis(redisUrl);
  const stats = await redis.info('stats');
  redis.disconnect();
  const redisCommands = Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]);
  return { ...row, redisCommands };
}

/** The work between two moments, for each of so many orders, with a word for each figure. */
function workOfOrder(
  before: WorkDone,
  after: WorkDone,
  orders: number,
): Array<{ what: string; value: number; unit: string }> {
  const each = (field: keyof WorkDone): number =>
    ((after[field] ?? Number.NaN) - (before[field] ?? Number.NaN)) / orders;
  return [
    { what: 'write-ahead log', value: each('walBytes'), unit: 'bytes' },
    { what: 'syncs of it', value: each('walSyncs'), unit: '' },
    { what: 'commits', value: each('commits'), unit: '' },
    { what: 'commands of Redis', value: each('redisCommands'), unit: '' },
  ].filter(({ value }) => !Number.isNaN(value));
}

/** Of the highest rate with one instance. */
const SHARE = 0.5;
const SAMPLE_EVERY_MS = 20;
/** Of a turn of CPU: Linux counts each process in steps of 10 ms. */
const LEAST_TURN_SECONDS = 2;
/** Waits for a row; all other kinds of locks are those of a table or of everybody. */
const ROW_LOCKS = /^Lock: (transactionid|tuple),/;

/** A system with so many instances of transactions and notifier, not started yet. */
export interface Scaled {
  instances: number;
  system: System;
  database: string;
}

/**
 * CPU time of an order with its SMS for more and more instances on one Postgres, at one rate that
 * the machine has room for, and of one instance with either home of the queues; and what statements
 * wait for while orders come as fast as they can.
 * @param redis where the queues are, if not in Postgres
 * @param onPostgres one instance with its queues in Postgres, not started yet
 */
export async function measureScale(
  world: World,
  scaled: Scaled[],
  { redis, onPostgres }: { redis: { url: string; pid: number } | undefined; onPostgres: System },
): Promise<PhaseResult> {
  const findings: Finding[] = [];
  const cpu: Record<string, CpuOfOrder> = {};
  const waits: Record<string, Record<string, number>> = {};
  let rate: number | undefined;
  let queues: QueueTurns | undefined;
  for (const { instances, system, database } of scaled) {
    await system.start();
    const highest = await highestRate(world, system, instances);
    rate ??= Math.floor(highest * SHARE);
    const label = `${instances} ${instances === 1 ? 'instance' : 'instances'}`;
    waits[label] = await sampleWaits(world, { system, database });
    const before = await workDone(world.db, database, redis?.url);
    const seconds = world.options.counts.steadySeconds;
    const place = steadyOrders(world, system, { rate, seconds });
    const cost = await cpuOfOrder(world.db, { system, redis, place });
    const after = await workDone(world.db, database, redis?.url);
    cpu[label] = cost.msOfOrder;
    if (instances === 1) findings.push(...(await connectionFindings(world, { system, redis })));
    if (instances === 1 && redis !== undefined) {
      queues = await compareQueues(world, { rate, redis, onRedis: system, onPostgres });
      findings.push(...queueFindings(queues));
    }
    await system.stop();
    const total = totalOf(cpu[label]);
    findings.push(
      { what: `${label}: CPU of an order`, value: total, unit: 'ms' },
      { what: `${label}: highest rate`, value: highest, unit: '/s' },
      ...Object.entries(cost.msOfOrder).map(([name, value]) => ({
        what: `${label}: CPU of ${name}`,
        value,
        unit: 'ms',
      })),
      ...workOfOrder(before, after, cost.count).map(({ what, value, unit }) => ({
        what: `${label}: ${what} of an order`,
        value,
        unit,
      })),
      ...Object.entries(waits[label]).map(([what, value]) => ({
        what: `${label}: waits, ${what}`,
        value: value * 100,
        unit: '% of samples',
      })),
    );
    world.say(`  ${label}: ${total.toFixed(2)} ms of CPU for an order`);
  }
  const [first, last] = [Object.values(cpu)[0], Object.values(cpu).at(-1)];
  const shared = Object.entries(Object.values(waits).at(-1) ?? {}).filter(
    ([what]) => what.startsWith('Lock: ') && !ROW_LOCKS.test(what),
  );
  findings.push(
    rowFinding('scale-out', totalOf(last ?? {}) / totalOf(first ?? {})),
    rowFinding('shared locks', shared.length),
  );
  return { phase: 'scale', findings, rounds: { cpu, waits, rate, queues } };
}

/** Each instance compiles its code by itself: the more there are, the more rounds come first. */
async function highestRate(world: World, system: System, instances: number): Promise<number> {
  const { round } = orders(world, system);
  let rate = 0;
  for (let n = 0; n < world.options.warmUps * instances + 1; n += 1) {
    rate = (await round(world.options.seconds)).perSecond;
  }
  return rate;
}

/** Places orders at a steady rate, and waits for their SMS. */
function steadyOrders(
  world: World,
  system: System,
  pace: { rate: number; seconds: number },
): () => Promise<number> {
  const { market, twilio } = world;
  return async () => {
    const called = twilio.posts.length;
    const url = system.urlOf('gateway');
    const { placed } = await sendSteadily({ market }, url, pace);
    await untilCalled(world, called + placed);
    return placed;
  };
}

/** What an order costs where many make a batch, and where one comes alone. */
async function connectionFindings(
  world: World,
  on: { system: System; redis: { pid: number } | undefined },
): Promise<Finding[]> {
  const { connections } = world.options;
  return [
    rowFinding('order CPU', await cpuOnConnections(world, { ...on, connections })),
    rowFinding('lone order', await cpuOnConnections(world, { ...on, connections: 1 })),
  ];
}

/** Milliseconds of CPU for an order with its SMS while each of so many connections has one in flight. */
async function cpuOnConnections(
  world: World,
  {
    system,
    redis,
    connections,
  }: { system: System; redis: { pid: number } | undefined; connections: number },
): Promise<number> {
  const onThem = { ...world, options: { ...world.options, connections } };
  const load = orderLoad(onThem, system.urlOf('gateway'));
  const { round } = ordersWithSms(world, 'order and SMS', load);
  const place = async () => {
    const before = load.answered;
    await round(Math.max(world.options.seconds, LEAST_TURN_SECONDS));
    return load.answered - before;
  };
  await place(); // finds how many a round takes
  return totalOf((await cpuOfOrder(world.db, { system, redis, place })).msOfOrder);
}

/** Turns of two systems with one instance of each service, which differ in the home of their queues. */
interface QueueTurns {
  onRedis: CpuOfOrder[];
  onPostgres: CpuOfOrder[];
}

/** CPU time of an order at the same rate with queues on either backend, in turns. */
async function compareQueues(
  world: World,
  {
    rate,
    redis,
    onRedis,
    onPostgres,
  }: { rate: number; redis: { pid: number }; onRedis: System; onPostgres: System },
): Promise<QueueTurns> {
  await onPostgres.start();
  await highestRate(world, onPostgres, 1);
  const { rounds } = world.options;
  const seconds = Math.max(world.options.seconds, LEAST_TURN_SECONDS);
  const subjectOf = (system: System) => ({
    system,
    place: steadyOrders(world, system, { rate, seconds }),
  });
  const [ofRedis = [], ofPostgres = []] = await cpuInTurns(
    world.db,
    [{ ...subjectOf(onRedis), redis }, subjectOf(onPostgres)],
    rounds,
  );
  await onPostgres.stop();
  return { onRedis: ofRedis, onPostgres: ofPostgres };
}

function queueFindings({ onRedis, onPostgres }: QueueTurns): Finding[] {
  const total = (turns: CpuOfOrder[]): number => totalOf(meanOfTurns(turns));
  return [
    { what: 'queues on Redis: CPU of an order', value: total(onRedis), unit: 'ms' },
    { what: 'queues on Postgres: CPU of an order', value: total(onPostgres), unit: 'ms' },
    ...Object.entries(meanOfTurns(onPostgres)).map(([name, value]) => ({
      what: `queues on Postgres: CPU of ${name}`,
      value,
      unit: 'ms',
    })),
    rowFinding('queues on Postgres', ratioOfTurns(onPostgres, onRedis)),
  ];
}

/** What active statements wait for, as shares of all that were seen active. */
async function sampleWaits(
  world: World,
  { system, database }: { system: System; database: string },
): Promise<Record<string, number>> {
  const seen = new Map<string, number>();
  let samples = 0;
  const state = { running: true };
  const load = orders(world, system).round(world.options.seconds * 2);
  void load.finally(() => (state.running = false)).catch(() => undefined);
  while (state.running) {
    const rows = await world.db.query<{ what: string; n: number }>(
      database,
      `SELECT coalesce(wait_event_type || ': ' || wait_event, 'none')
              || CASE WHEN wait_event_type = 'Lock'
                      THEN ', ' || usename || ' ' || left(regexp_replace(query, '\\s+', ' ', 'g'), 60)
                      ELSE '' END AS what,
              count(*)::int AS n
         FROM pg_stat_activity
        WHERE datname = $1 AND state = 'active' AND pid <> pg_backend_pid() GROUP BY 1`,
      [database],
    );
    for (const { what, n } of rows) {
      seen.set(what, (seen.get(what) ?? 0) + n);
      samples += n;
    }
    await pause(SAMPLE_EVERY_MS);
  }
  await load;
  const shares = [...seen].map(([what, n]) => [what, n / samples] as const);
  return Object.fromEntries(shares.toSorted(([, one], [, other]) => other - one));
}

function orders(world: World, system: System) {
  return ordersWithSms(world, 'order and SMS', orderLoad(world, system.urlOf('gateway')));
}
