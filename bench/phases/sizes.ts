import { alternate, type Subject } from '../support/alternate';
import { cpuSeconds } from '../support/cpu';
import type { BenchDatabase, StatementCost } from '../support/database';
import { System } from '../support/system';
import { Load, type LoadOptions, type Measured, type Sent } from '../support/load';
import { orderBody } from '../support/market';
import { leastSql } from '../support/least-sql';
import { orderLoad, ordersWithSms, settlingSms } from '../support/order-load';
import { ownStatement, SqlLoad } from '../support/pgbench';
import type { Textbook } from '../peers/textbook';
import { isInstalled } from '../support/programs';
import type { PhaseResult, World } from '../support/world';
import { findingsOf } from './sizes-findings';

/** The most items that createTransactions and getCornerStores take. */
const ITEMS = 500;
const BATCHES_AT_ONCE = 4;

type CpuByName = Record<string, Array<Record<string, number>>>;

/** Where it is noted what a round has cost, and whom. */
interface Accounts {
  size: Sized;
  serverPid: number;
  cpu: CpuByName;
  /** Of the last round, where they are counted. */
  statements: Record<string, StatementCost[]>;
  db: BenchDatabase | undefined;
}

/** A database with so many transactions, and the services that use it. */
export interface Sized {
  label: string;
  count: number;
  database: string;
  system: System;
}

/**
 * Each endpoint on each size of the database, pgbench with the statement of createTransaction and
 * with the least SQL, and the textbook system beside the first size.
 */
export async function measureSizes(
  world: World,
  sizes: Sized[],
  { queues, textbook }: { queues: 'Postgres' | 'Redis'; textbook: Textbook | undefined },
): Promise<PhaseResult> {
  const serverPid = await world.db.serverPid();
  const cpu: CpuByName = {};
  const statements: Accounts['statements'] = {};
  const counting = world.options.profile ? world.db : undefined;
  const measured = new Map<string, Subject>();
  for (const size of sizes) {
    for (const subject of await subjectsOf(world, size)) {
      const round = (seconds: number): Promise<Measured> =>
        withCpu(subject, seconds, { size, serverPid, cpu, statements, db: counting });
      measured.set(subject.name, { ...subject, round });
    }
  }
  const [first] = sizes;
  if (textbook !== undefined && first !== undefined) {
    const load = orderLoad(world, textbook.url, textbook.apiKey);
    const name = `textbook @ ${first.label}`;
    measured.set(name, ordersWithSms(world, name, load));
  }
  // The sizes of a subject one after another: a machine that is slower a minute later meets both.
  const subjects = world.options.subjects.flatMap((what) =>
    sizes.flatMap(({ label }) => measured.get(`${what} @ ${label}`) ?? []),
  );
  const rounds = await alternate(subjects, { ...world.options, say: world.say });
  const labels = sizes.map(({ label }) => label);
  return {
    phase: `sizes, queues on ${queues}`,
    // A skipped subject has no number.
    findings: findingsOf(rounds, labels, ITEMS).filter(({ value }) => !Number.isNaN(value)),
    rounds: { rates: Object.fromEntries(rounds), cpuMsPerRequest: cpu, statements },
  };
}

async function subjectsOf(world: World, size: Sized): Promise<Subject[]> {
  const { market, db, folder, options } = world;
  const { connections } = options;
  const name = (what: string): string => `${what} @ ${size.label}`;
  const load = (draw: LoadOptions['draw'], own: Partial<LoadOptions> = {}): Load =>
    new Load({
      url: size.system.urlOf('gateway'),
      headers: { authorization: market.apiKey },
      connections,
      draw,
      ...own,
    });
  const order = orderLoad(world, size.system.urlOf('gateway'));
  const batch = load((n) => batchOf(world, n), {
    amount: options.counts.batches,
    connections: BATCHES_AT_ONCE,
  });
  const stores = market.stores.map(({ externalId }) => externalId);
  const orderById = load((n) => get(`/transaction/external/pedido-${(n * 7919) % size.count}`));
  const lookUp = load((n) => lookUpOf(stores, n));
  const lookUpOne = load((n) => get(`/corner-store/external/${stores[n % stores.length]}`));

  const subjects: Subject[] = [];
  if (isInstalled('pgbench')) {
    const database = `${size.database}_sql`;
    const pgbench = { db, database, folder, connections };
    const own = await SqlLoad.open({ ...pgbench, script: ownStatement(market) });
    const script = await leastSql(db, database, market.stores.length);
    const least = await SqlLoad.open({ ...pgbench, script });
    subjects.push(
      { name: name('pgbench'), round: (seconds) => own.round(seconds), warmUps: 1 },
      { name: name('least SQL'), round: (seconds) => least.round(seconds), warmUps: 1 },
    );
  }
  subjects.push(
    withoutNotifier(size.system, settlingSms(world, name('order'), { load: order, smsOfOne: 1 })),
    ordersWithSms(world, name('order and SMS'), order),
    withoutNotifier(
      size.system,
      settlingSms(world, name('batch'), { load: batch, smsOfOne: ITEMS }),
    ),
    { name: name('order by id'), round: (seconds) => orderById.round(seconds) },
    { name: name('stores'), round: (seconds) => lookUp.round(seconds) },
    { name: name('store'), round: (seconds) => lookUpOne.round(seconds) },
  );
  return subjects;
}

/**
 * The notifier is stopped during a round, for less time than a job's lock lasts, and sends after it:
 * what SMS cost is measured by itself, and pgbench sends none.
 */
function withoutNotifier(system: System, { name, round, settle }: Subject): Subject {
  return {
    name,
    round: async (seconds) => {
      const notifier = system.services.get('notifier');
      notifier?.pause();
      try {
        return await round(seconds);
      } finally {
        notifier?.goOn();
      }
    },
    ...(settle === undefined ? {} : { settle }),
  };
}

function get(path: string): Sent {
  return { method: 'GET', path: `/v1${path}` };
}

function batchOf({ market }: World, n: number): Sent {
  const transactions = Array.from({ length: ITEMS }, (_, at) => orderBody(market, n * ITEMS + at));
  const body = { transactions, driverId: `chofer-${n % 8}` };
  return { method: 'POST', path: '/v1/transaction/batch', body };
}

function lookUpOf(stores: string[], n: number): Sent {
  const externalCornerStoreIds = Array.from(
    { length: Math.min(ITEMS, stores.length) },
    (_, at) => stores[(n * ITEMS + at) % stores.length],
  );
  const body = { externalCornerStoreIds, driverId: 'chofer-1' };
  return { method: 'POST', path: '/v1/corner-store/external', body };
}

/** The round, and what CPU time each process spent for one of its requests. */
async function withCpu(
  subject: Subject,
  seconds: number,
  { size, serverPid, cpu, db, statements }: Accounts,
): Promise<Measured> {
  const pids = new Map([...size.system.services].map(([name, child]) => [name, child.pid]));
  if (db !== undefined) await db.statements(size.database);
  const before = cpuSeconds(pids, serverPid);
  const measured = await subject.round(seconds);
  const after = cpuSeconds(pids, serverPid);
  if (db !== undefined) statements[subject.name] = await db.statements(size.database);
  const spent = [...after].map(([name, used]) => {
    const ms = (1_000 * (used - (before.get(name) ?? 0))) / measured.count;
    return [name, Number(ms.toFixed(3))] as const;
  });
  (cpu[subject.name] ??= []).push(Object.fromEntries(spent));
  return measured;
}
