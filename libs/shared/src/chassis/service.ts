import type { DataSource } from 'typeorm';
import { systemClock, type Clock } from '../clock';
import { ClockWatch } from './clock-watch';
import { DatabaseWatch } from './database-watch';
import { createDataSource, poolOf, type Schema } from './db/data-source';
import { checkKeyFingerprints } from './db/key-fingerprints';
import { query } from './db/query';
import { queuesDatabaseUrl } from './db/roles';
import { createHealth } from './http/health';
import { retryDeadLettersRoute } from './http/retry-dead-letters';
import { closeServer, createApp, listen, portOf, type Callback, type Route } from './http/server';
import { InternalTokens } from './internal-token';
import type { QueueName } from './jobs/define-job';
import { QUEUE_NAMES } from './jobs/queue-jobs';
import { Queues, type BullWorker } from './jobs/queues';
import { createWorker, type JobRoute } from './jobs/worker';
import { WorkerGate } from './jobs/worker-gate';
import { WorkerPulse } from './jobs/worker-pulse';
import type { Logger } from './logger';
import type { Loop } from './loop';
import { recordBuild } from './metrics';
import { createDeadLetterLook } from './outbox/dead-letter-look';
import { createRelay } from './outbox/relay';
import { createSweeper } from './outbox/sweeper';
import { watchPool } from './queue-metrics';
import { createRetention } from './retention';
import { createSampler } from './sampler';
import type { ServiceConfig } from './service-config';

/** What every service stands on; its own context adds its clients and keys. */
export interface Foundation<Config extends ServiceConfig = ServiceConfig> {
  config: Config;
  db: DataSource;
  queues: Queues;
  /** Wake it after a commit that appended to the outbox; its poll would find the row later. */
  relay: Loop;
  tokens: InternalTokens;
  clock: Clock;
  log: Logger;
}

export interface ServiceDefinition<Config extends ServiceConfig, Context> {
  name: QueueName;
  schema: Schema;
  /** Secrets whose fingerprints rest in the database: variable name to value. */
  secrets: (config: Config) => Record<string, string>;
  createContext: (foundation: Foundation<Config>) => Context;
  /** Closes what createContext opened. */
  closeContext: (context: Context) => Promise<void>;
  routes: (context: Context) => Route[];
  /** Forms that third parties post. */
  callbacks?: (context: Context) => Callback[];
  jobs: (context: Context) => JobRoute[];
  /** Sets the gauges of the service's own, every few seconds. */
  sample?: (context: Context) => Promise<void>;
  /** Rounds that the service runs beside requests and jobs. */
  loops: (context: Context) => Loop[];
}

export interface RunningService<Context> {
  port: number;
  context: Context;
  /** Graceful stop: not ready, finish requests, finish jobs, close. */
  close(): Promise<void>;
}

/**
 * Starts a service: database, queues, relay, jobs, then HTTP.
 * @throws Error when the schema is older than this build, a secret differs, the queues' database is
 *   away or the port is taken
 */
export async function startService<Config extends ServiceConfig, Context>(
  definition: ServiceDefinition<Config, Context>,
  options: { config: Config; port: number; log: Logger; clock?: Clock },
): Promise<RunningService<Context>> {
  const foundation = await layFoundation(definition, options);
  const { db, queues, tokens, log, config } = foundation;
  const context = definition.createContext(foundation);

  const pulse = new WorkerPulse(queues, definition.name);
  const gate = new WorkerGate();
  const clockWatch = new ClockWatch(db, { service: definition.name, gate, log });
  const databaseWatch = new DatabaseWatch(db, { gate, log });
  const watches = { pulse, gate, database: databaseWatch };
  const routes = definition.jobs(context);
  const worker = createWorker({ queues, queue: definition.name, routes, ...watches, log });
  gate.guard(worker);
  await connectWorker(foundation, worker, clockWatch);
  const health = createHealth({
    database: async () => void (await query(db, 'SELECT 1')),
    queues: () => queues.ping(),
    worker: async () => pulse.check(),
    clock: async () => clockWatch.check(),
  });
  const app = createApp({
    routes: [...definition.routes(context), retryDeadLettersRoute(foundation)],
    callbacks: definition.callbacks?.(context) ?? [],
    open: [health.router, health.metrics],
    tokens,
    log,
  });
  const server = await listen(app, config.HOST, options.port);

  const loops = [
    ...outboxLoops(foundation),
    pulse.createLoop(log),
    clockWatch.createLoop(),
    databaseWatch.createLoop(),
    createRetention(db, log),
    createSampler(foundation, definition.name, async () => definition.sample?.(context)),
    ...definition.loops(context),
  ];
  for (const loop of loops) loop.start();
  // run() settles when the worker is closed; what goes wrong before comes as its error event.
  void worker.run().catch((error: unknown) => log.error({ err: error }, 'the worker ended'));
  log.info({ port: portOf(server) }, 'listening');

  return {
    port: portOf(server),
    context,
    close: async () => {
      health.stopping();
      await closeServer(server, config.DRAIN_MS);
      databaseWatch.close();
      await worker.close();
      await Promise.all(loops.map((loop) => loop.stop()));
      await definition.closeContext(context);
      await queues.close();
      await db.destroy();
    },
  };
}

/** What moves jobs from the outbox to their queues, and follows them to their end. */
function outboxLoops({ db, queues, relay, log }: Foundation): Loop[] {
  return [relay, createSweeper(db, queues, log), createDeadLetterLook(db, queues, log)];
}

/** The last that can fail before anything runs; then nothing stays open. */
async function connectWorker(
  { db, queues }: Foundation,
  worker: BullWorker,
  clockWatch: ClockWatch,
): Promise<void> {
  try {
    await queues.connect(QUEUE_NAMES, worker);
    // A worker whose clock is wrong must not ask for a job even once.
    await clockWatch.look();
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function layFoundation<Config extends ServiceConfig, Context>(
  definition: ServiceDefinition<Config, Context>,
  { config, log, clock = systemClock }: { config: Config; log: Logger; clock?: Clock },
): Promise<Foundation<Config>> {
  const db = createDataSource(definition.schema, config.DATABASE_URL, (error) =>
    log.warn({ reason: error.message }, 'a database connection was lost'),
  );
  await db.initialize();
  recordBuild(definition.schema.name);
  watchPool(definition.schema.name, poolOf(db));
  if (await db.showMigrations()) {
    throw new Error(`The schema ${definition.schema.name} is older than this build: run migrate`);
  }
  await checkKeyFingerprints(db, definition.secrets(config));

  const queues = new Queues({
    redisUrl: config.REDIS_URL,
    queuesDatabaseUrl: config.QUEUES_DATABASE_URL ?? queuesDatabaseUrl(config.DATABASE_URL),
    prefix: config.QUEUE_PREFIX,
    log,
  });
  return {
    config,
    db,
    queues,
    relay: createRelay(db, queues, log),
    tokens: new InternalTokens(config.INTERNAL_TOKEN_SECRET),
    clock,
    log,
  };
}
