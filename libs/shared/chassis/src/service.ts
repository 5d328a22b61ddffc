import { type Clock, systemClock } from '@fiado/contracts/clock';
import type { QueueName } from '@fiado/contracts/define';
import { SERVICES } from '@fiado/contracts/process-names';
import { Database } from './db/database';
import { checkKeyFingerprints, type Secret } from './db/key-fingerprints';
import { createRetention, type GrowingTable } from './db/retention';
import { requireProgress } from './db/require-progress';
import { queuesDatabaseUrl, requireRoleSettings } from './db/roles';
import { isUpToDate, type Schema } from './db/schema';
import { checkWritable, untilWritable } from './db/writable';
import { type Callback, type Endpoint, routesOf, type ServedRoute } from './http/endpoint';
import { createHealth } from './http/health';
import { closeServer, portOf, serve } from './http/server';
import { InternalTokens } from './keys/internal-token';
import type { BullWorker } from './jobs/backends';
import { requireNoEviction } from './jobs/open-redis';
import { watchPool } from './jobs/queue-metrics';
import { Queues } from './jobs/queues';
import { createWorker, type JobRoute } from './jobs/worker';
import { ClockWatch, DatabaseWatch, WorkerGate } from './jobs/worker-gate';
import { WorkerPulse } from './jobs/worker-pulse';
import {
  noDataKeys,
  openDataKeys,
  type OpenDataKeys,
  takeDataKeysEndpoint,
} from './keys/open-data-keys';
import { type Sealing, sealingLoops } from './keys/reseal';
import type { Logger } from './logger';
import { type Loop, startInTurn } from './loop';
import { recordBuild } from './metrics';
import type { EventPresenters } from './outbox/events';
import { createDeadLetterLoop, deadLetterEndpoints } from './outbox/dead-letters';
import { createRelay } from './outbox/relay';
import { createSweeper } from './outbox/sweeper';
import { type ProcessKeys, processKeysOf } from './keys/process-keys';
import { keepRefusals } from './refusals/keep-refusals';
import { deadRowsSample } from './row-jobs/dead-rows';
import type { RowJob } from './row-jobs/row-job';
import { createSampler, outboxSample, queuesSample, type Sample } from './sampler';
import type { ServiceConfig } from './service-config';
import { type Timing, TIMING } from './timing';
import { storesWithoutTls } from './weak-settings';

const STORES_WITHOUT_TLS =
  'a store on another machine is reached without TLS: use sslmode=verify-full or rediss, or set STORE_TLS=off ' +
  'if only this installation uses the network; the next release refuses this';

/** The parts that every service has. Each service's context adds its clients and keys. */
export interface Foundation<Config extends ServiceConfig = ServiceConfig> {
  config: Config;
  db: Database;
  queues: Queues;
  /**
   * A commit wakes it, where appendToOutbox wrote. Wake it after one where other SQL or a trigger wrote to the outbox;
   * its poll would find the row later.
   */
  relay: Loop;
  /** Shut while this process takes no jobs: its clock is wrong, or its database is unavailable. */
  gate: WorkerGate;
  keys: ProcessKeys;
  /** Seal and open personal data; see createSealer. */
  dataKeys: OpenDataKeys;
  tokens: InternalTokens;
  clock: Clock;
  timing: Timing;
  log: Logger;
}

export interface ServiceDefinition<Config extends ServiceConfig, Context> {
  name: QueueName;
  schema: Schema;
  /** Secrets whose fingerprints are stored in the database, by the names of their variables. */
  secrets?: (config: Config) => Record<string, Secret>;
  /** Required of a service that seals values. */
  sealing?: Sealing<Config, Context>;
  /** Refuses a start by throwing. */
  checkStart?: (db: Database, config: Config) => Promise<void>;
  createContext: (foundation: Foundation<Config>) => Context;
  /** Closes what createContext opened. */
  closeContext: (context: Context) => Promise<void>;
  routes: Array<Endpoint<Context>>;
  /** Forms that third parties post. */
  callbacks?: (context: Context) => Callback[];
  jobs: (context: Context) => JobRoute[];
  /** Work that rows of this service wait for; the loop of each is among the loops. */
  rowJobs?: RowJob[];
  /** Queues of its jobs for other services, as the `producers` of the jobs say: it exports their depth, too. */
  sendsTo: QueueName[];
  /** Events that the triggers of its schema write to its outbox. */
  events?: (config: Config) => EventPresenters;
  /** SQL of the corner store that a refused request concerns, in services that keep refusals; see storeRefusals. */
  cornerStoreOfRefusal?: string;
  /** Tables whose old rows are deleted, in addition to those that every schema has. */
  growingTables?: GrowingTable[];
  /** Gauges of the service's own. */
  samples?: (context: Context) => Sample[];
  /** The work of the service without a request or a job. */
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
 * @throws Error when the schema is older than this build, a secret differs, the service refuses, the
 *   queues' database is unavailable, their Redis evicts keys in production or the port is taken
 */
export async function startService<Config extends ServiceConfig, Context>(
  definition: ServiceDefinition<Config, Context>,
  options: { config: Config; port: number; log: Logger; clock?: Clock; timing?: Timing },
): Promise<RunningService<Context>> {
  const foundation = await openFoundation(definition, options);
  const { db, queues, gate, keys, tokens, timing, log, config } = foundation;
  const context = definition.createContext(foundation);
  const pulse = new WorkerPulse(queues, definition.name, timing);
  const clockWatch = new ClockWatch(db, { service: definition.name, gate, log });
  const databaseWatch = new DatabaseWatch(db, { gate, log });
  const watches = { pulse, gate, database: databaseWatch };
  const routes = definition.jobs(context);
  const worker = createWorker({ queues, queue: definition.name, routes, keys, ...watches, log });
  gate.guard(worker);
  await connectWorker(foundation, worker, clockWatch);
  const health = healthOf(foundation, clockWatch, pulse, timing);
  const refusals = keepRefusals(foundation, definition.cornerStoreOfRefusal);
  const server = await serve({
    host: config.INTERNAL_HOST,
    port: options.port,
    routes: allRoutes(definition, context, foundation),
    onRefusal: refusals.add,
    callbacks: definition.callbacks?.(context) ?? [],
    open: [health.router, health.metrics],
    tokens,
    log,
  });
  const loops = [
    ...outboxLoops(foundation),
    ...definition.loops(context),
    pulse.createLoop(log),
    clockWatch.createLoop(),
    databaseWatch.createLoop(),
    createRetention(db, log, [...refusals.tables, ...(definition.growingTables ?? [])]),
    ...refusals.loops,
    ...sealingLoops(definition.sealing, context, foundation),
    ...samplesOf(definition, context, foundation).map((sample) =>
      createSampler(sample, log, timing),
    ),
  ];
  startInTurn(loops);
  // run() settles when the worker is closed; what goes wrong before comes as its error event.
  void worker.run().catch((error: unknown) => log.error({ err: error }, 'worker ended'));
  log.info({ port: portOf(server) }, 'listening');
  return {
    port: portOf(server),
    context,
    close: async () => {
      health.stopping();
      await closeServer(server, config.DRAIN_MS);
      databaseWatch.close();
      await queues.closeWorker(worker).finally(() => pulse.close());
      await Promise.all(loops.map((loop) => loop.stop()));
      await refusals.storeRest();
      await definition.closeContext(context);
      await queues.close();
      // It is forgotten without that too, later.
      await foundation.dataKeys.close().catch(() => {});
      await db.close();
    },
  };
}

/**
 * Opens what every service works with: database, keys and queues.
 * @throws Error when the schema is older than this build or a secret differs
 */
async function openFoundation<Config extends ServiceConfig, Context>(
  definition: ServiceDefinition<Config, Context>,
  {
    config,
    log,
    clock = systemClock,
    timing = TIMING,
  }: { config: Config; log: Logger; clock?: Clock; timing?: Timing },
): Promise<Foundation<Config>> {
  const plain = storesWithoutTls(config);
  if (plain.length > 0) log.warn({ variables: plain }, STORES_WITHOUT_TLS);
  if (config.OUTGOING === 'held') log.warn({}, 'OUTGOING=held: no SMS, webhook or invoice is sent');
  const keys = processKeysOf(definition.name, config);
  const db = await openDatabase(definition, config, timing, log);
  const { sealing } = definition;
  const dataKeys =
    sealing === undefined
      ? noDataKeys
      : await openDataKeys({ db, log, tables: sealing.tables }, sealing.secret(config));

  const queues = new Queues({
    redisUrl: config.REDIS_URL,
    queuesDatabaseUrl:
      config.QUEUES_DATABASE_URL ??
      queuesDatabaseUrl(config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL),
    prefix: config.QUEUE_PREFIX,
    keys,
    log,
    connectTimeoutMs: timing.connect,
  });
  await queues.untilConnected();
  const relay = createRelay(db, queues, log, {
    events: definition.events?.(config),
    bundles: config.JOB_BUNDLES === 'on',
  });
  db.noteJobs = () => relay.wake();
  return {
    config,
    db,
    queues,
    relay,
    gate: new WorkerGate(),
    keys,
    dataKeys,
    tokens: new InternalTokens(keys),
    clock,
    timing,
    log,
  };
}

/**
 * Opens the service's database, once it answers.
 * @throws Error when the schema is older than this build, a secret differs or the service refuses
 */
async function openDatabase<Config extends ServiceConfig, Context>(
  definition: ServiceDefinition<Config, Context>,
  config: Config,
  timing: Timing,
  log: Logger,
): Promise<Database> {
  const connection = {
    url: config.DATABASE_URL,
    poolSize: config.POOL_SIZE,
    preparedStatements: config.PREPARED_STATEMENTS === 'on',
    connectTimeoutMs: timing.connect,
  };
  const db = Database.open(definition.schema, connection, (error) =>
    log.warn({ reason: error.message }, 'database connection lost'),
  );
  recordBuild(definition.schema.name);
  watchPool(definition.schema.name, db.connection);
  await untilWritable(db.connection, ({ message }) =>
    log.warn({ reason: message }, 'waiting for the database'),
  );
  if (!(await isUpToDate(db.connection, definition.schema))) {
    throw new Error(`The schema ${definition.schema.name} is older than this build: run migrate`);
  }
  await requireRoleSettings(db.connection, definition.schema.name);
  await checkKeyFingerprints(db, definition.secrets?.(config) ?? {});
  await definition.checkStart?.(db, config);
  return db;
}

function healthOf(
  { db, queues }: Foundation,
  clockWatch: ClockWatch,
  pulse: WorkerPulse,
  { check: checkMs }: Timing,
) {
  const startedMs = performance.now();
  return createHealth({
    readiness: {
      database: () => checkWritable(db.connection),
      clock: async () => clockWatch.check(),
      progress: () => requireProgress(db.connection, startedMs),
    },
    // Requests are served without them, and their jobs wait in the outbox.
    reported: { queues: () => queues.ping(), worker: async () => pulse.check() },
    checkMs,
  });
}

/** The service's own endpoints, and those that services have in common. */
function allRoutes<Config extends ServiceConfig, Context>(
  { name, routes, sealing, rowJobs = [] }: ServiceDefinition<Config, Context>,
  context: Context,
  foundation: Foundation,
): ServedRoute[] {
  const deadLetters = deadLetterEndpoints(name, rowJobs);
  // accounts makes the data keys; the other services that seal take them.
  const common =
    sealing === undefined || name === 'accounts'
      ? deadLetters
      : [...deadLetters, takeDataKeysEndpoint];
  return [...routesOf(routes, context), ...routesOf(common, foundation)];
}

function samplesOf<Config extends ServiceConfig, Context>(
  { name, schema, sendsTo, samples, rowJobs = [] }: ServiceDefinition<Config, Context>,
  context: Context,
  { db, queues }: Foundation,
): Sample[] {
  // Producers too, so that the depth of a queue is known while its worker's service is gone.
  return [
    outboxSample(db, schema.name),
    queuesSample(queues, [name, ...sendsTo]),
    ...(rowJobs.length === 0 ? [] : [deadRowsSample(db, schema.name, rowJobs)]),
    ...(samples?.(context) ?? []),
  ];
}

/** The loops that move jobs from the outbox to their queues and track their outcome. */
function outboxLoops({ db, queues, relay, log }: Foundation): Loop[] {
  return [relay, createSweeper(db, queues, log), createDeadLetterLoop(db, queues, log)];
}

/** The last step that can fail before anything runs. If it fails, everything is closed. */
async function connectWorker(
  { db, queues, config, log }: Foundation,
  worker: BullWorker,
  clockWatch: ClockWatch,
): Promise<void> {
  try {
    await queues.connect(SERVICES, worker);
    await requireNoEviction(queues, config, log).catch(async (error: unknown) => {
      await queues.closeWorker(worker);
      await queues.close();
      throw error;
    });
    // A worker with a wrong clock must not fetch a single job.
    await clockWatch.look();
  } catch (error) {
    await db.close();
    throw error;
  }
}
