import { resolve } from 'node:path';
import { RedisServer } from '@fiado/chassis/testing/redis-server';
import {
  buildWorld,
  INSTANCES,
  LARGE,
  LOAD,
  NEIGHBOURS,
  ON_REDIS,
  PEERS,
  SCALE_ON_POSTGRES,
  scaleDatabase,
  SMALL,
  startedSystem,
  systemOf,
} from './build-world';
import type { PhaseName } from './options';
import { startBlnk } from './peers/blnk';
import { startFormance } from './peers/formance';
import type { LedgerPeer } from './peers/ledger-peer';
import { startTextbook } from './peers/textbook';
import { measureForwarding } from './phases/forwarding';
import { measureLoad } from './phases/load';
import { measureNeighbours } from './phases/neighbours';
import { measurePeers } from './phases/peers';
import { measureScale, type Scaled } from './phases/scale';
import { measureSizes, type Sized } from './phases/sizes';
import { measureSms } from './phases/sms';
import { measureStart } from './phases/start';
import { Cleanup } from './support/cleanup';
import { startReceiver } from './support/endpoints';
import { isInstalled } from './support/programs';
import { rowFinding, type Ground, type PhaseResult, type World } from './support/world';
import { Child } from './support/child';
import type { System } from './support/system';

const ROOT = resolve(__dirname, '../..');

/** `fiado verify` against a running system. @returns its output if a check fails */
async function verifySystem(system: System, folder: string): Promise<string | undefined> {
  const child = new Child({
    name: 'verify',
    command: process.execPath,
    args: [`${ROOT}/apps/cli/bin/fiado.cjs`, 'verify'],
    env: { BASE_URL: system.urlOf('gateway'), OPS_API_KEY: system.opsKey },
    folder,
  });
  return child.finish().then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

/** Redis then writes each command down, as in production. */
const LOG_OF_PRODUCTION = ['--appendonly', 'yes'];

const OF_GROUND: Array<[PhaseName, (ground: Ground) => Promise<PhaseResult[]>]> = [
  ['forwarding', async (ground) => [await measureForwarding(ground)]],
  ['start', async (ground) => [await measureStart(ground)]],
];
const OF_WORLD: Array<[PhaseName, (world: World) => Promise<PhaseResult[]>]> = [
  ['sizes', measureSizesOf],
  ['sms', measureBackends],
  ['peers', measurePeersOf],
  ['load', measureLoadOf],
  ['neighbours', measureNeighboursOf],
  ['scale', measureScaleOf],
];

/** What a run has measured. */
export interface Run {
  phases: PhaseResult[];
  /** Phases that failed, by their names. */
  failures: Map<PhaseName, Error>;
}

/**
 * Builds what is measured, measures it, and takes it down again. A phase that fails leaves its rows
 * without a figure, and the others go on.
 */
export async function runBench(ground: Ground): Promise<Run> {
  const run: Run = { phases: [], failures: new Map() };
  const wanted = ground.options.phases;
  for (const [name, measure] of OF_GROUND) {
    if (wanted.includes(name)) await attempt(run, name, ground, measure);
  }
  const ofWorld = OF_WORLD.filter(([name]) => wanted.includes(name));
  if (ofWorld.length === 0) return run;
  const world = await buildWorld(ground);
  for (const [name, measure] of ofWorld) await attempt(run, name, world, measure);
  return run;
}

/** Measures a phase, and ends all that it has started. */
async function attempt<G extends Ground>(
  run: Run,
  name: PhaseName,
  ground: G,
  measure: (ground: G) => Promise<PhaseResult[]>,
): Promise<void> {
  const startedAt = performance.now();
  const cleanup = new Cleanup();
  ground.cleanup.add(() => cleanup.run());
  ground.say(name);
  try {
    run.phases.push(...(await measure({ ...ground, cleanup })));
  } catch (error) {
    // All that a signal has ended fails.
    if (ground.ending.aborted) throw error;
    run.failures.set(name, error as Error);
    ground.say(`  failed: ${String(error)}`);
  } finally {
    await cleanup.run();
    ground.say(`  ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  }
}

/** As in production where that can be had: what queues in Postgres cost is shown by the phase sms. */
async function redisOf({ cleanup }: World): Promise<RedisServer | undefined> {
  if (!isInstalled('redis-server')) return undefined;
  const redis = await RedisServer.start(LOG_OF_PRODUCTION);
  cleanup.add(() => redis.stop());
  return redis;
}

async function measureSizesOf(world: World): Promise<PhaseResult[]> {
  const { options } = world;
  const sizes = [{ label: shortNumber(options.small), count: options.small, database: SMALL }];
  if (options.large > 0) {
    sizes.push({ label: shortNumber(options.large), count: options.large, database: LARGE });
  }
  const redisUrl = (await redisOf(world))?.url;
  const running: Sized[] = [];
  for (const size of sizes) {
    const system = await startedSystem(world, size.database, redisUrl);
    running.push({ ...size, system });
  }
  const textbook = redisUrl === undefined ? undefined : await startTextbook(world, redisUrl);
  const queues = redisUrl === undefined ? 'Postgres' : 'Redis';
  const result = await measureSizes(world, running, { queues, textbook });
  let differences = 0;
  for (const { system, label } of running) {
    const failure = await verifySystem(system, world.folder);
    world.say(failure ?? `  fiado verify @ ${label} finds nothing`);
    if (failure !== undefined) differences += 1;
  }
  result.findings.push(rowFinding('verify', differences));
  return [result];
}

async function measureBackends(world: World): Promise<PhaseResult[]> {
  world.say('  queues on Postgres');
  const system = await startedSystem(world, SMALL);
  const queuesUrl = world.db.urlOf(SMALL);
  const onPostgres = { backend: 'postgres' as const, system, database: SMALL, queuesUrl };
  const phases = [await measureSms(world, onPostgres)];
  await system.stop();
  const redis = await redisOf(world);
  if (redis === undefined) {
    world.say('  queues on Redis: skipped, redis-server is not installed');
    return phases;
  }
  world.say('  queues on Redis');
  const other = await startedSystem(world, ON_REDIS, redis.url);
  const onRedis = { backend: 'redis' as const, system: other, database: ON_REDIS };
  return [...phases, await measureSms(world, { ...onRedis, queuesUrl: redis.url })];
}

async function measurePeersOf(world: World): Promise<PhaseResult[]> {
  const { blnk, formance } = world.options;
  const redis = await redisOf(world);
  const peers: LedgerPeer[] = [];
  if (blnk !== undefined && redis !== undefined) {
    peers.push(await startBlnk(world, blnk, redis.url));
  }
  if (formance !== undefined) peers.push(...(await startFormance(world, formance)));
  if (peers.length === 0) {
    world.say('  skipped: the programs of the peers are not given, see --help');
    return [];
  }
  const system = await startedSystem(world, PEERS, redis?.url);
  return [await measurePeers(world, { system, peers, redisPid: redis?.pid ?? 0 })];
}

async function measureLoadOf(world: World): Promise<PhaseResult[]> {
  const system = await startedSystem(world, LOAD, (await redisOf(world))?.url);
  return [await measureLoad(world, { system, database: LOAD })];
}

async function measureNeighboursOf(world: World): Promise<PhaseResult[]> {
  const redisUrl = (await redisOf(world))?.url;
  const started = async (database: string) => ({
    database,
    system: await startedSystem(world, database, redisUrl),
  });
  const plain = await started(NEIGHBOURS.plain);
  const waiting = await started(NEIGHBOURS.waiting);
  const endpoint = await startedSystem(world, NEIGHBOURS.endpoint, redisUrl);
  const collector = await startReceiver(world, { answers: true });
  const traced = await startedSystem(world, NEIGHBOURS.traced, redisUrl, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  return [await measureNeighbours(world, { plain, waiting, endpoint, traced })];
}

async function measureScaleOf(world: World): Promise<PhaseResult[]> {
  const redis = await redisOf(world);
  const scaled = INSTANCES.map((instances) => scaledOf(world, instances, redis?.url));
  const onPostgres = systemOf(world, SCALE_ON_POSTGRES);
  world.cleanup.add(() => onPostgres.stop());
  return [await measureScale(world, scaled, { redis, onPostgres })];
}

function scaledOf(world: World, instances: number, redisUrl?: string): Scaled {
  const database = scaleDatabase(instances);
  const more = { transactions: instances, notifier: instances };
  const system = systemOf(world, database, redisUrl, { instances: more });
  world.cleanup.add(() => system.stop());
  return { instances, system, database };
}

/** 10k, 1M. */
function shortNumber(count: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact' }).format(count);
}
