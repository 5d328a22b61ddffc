import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobsOptions } from 'bullmq';
import type { QueryResultRow } from 'pg';
import { register, type MetricValue } from 'prom-client';
import type { Clock } from '@fiado/contracts/clock';
import { loadConfig } from '../config';
import type { Envelope, JobDefinition, QueueName } from '@fiado/contracts/define';
import type { Queues } from '../jobs/queues';
import { signEnvelope } from '../jobs/signed-envelope';
import { createLogger, type Logger } from '../logger';
import type { Loop } from '../loop';
import type { Aggregate, OutboxRow } from '../outbox/append';
import { withJobId } from '../request-context';
import { startService, type Foundation, type ServiceDefinition } from '../service';
import type { ServiceConfig } from '../service-config';
import type { Timing } from '../timing';
import { callTo, type Call } from './call';
import { createTestDatabase } from './database';
import { TEST_TIMING } from './timing';
import { testKeyVariables, testProcessKeys, testSigningKey } from './process-keys';

/** How long a job may take before a test gives it up. */
const JOB_DEADLINE_MS = 60_000;
/** How long a start waits for the first iteration of each loop. */
const LOOPS_DEADLINE_MS = 5_000;
const POLL_MS = 10;

export interface TestOptions<Config, Context = unknown> {
  config?: Partial<Record<keyof Config & string, string>>;
  /**
   * A clock of the test. What would decide by the time of the database does not run: the loops of the
   * service, except those that the test names, and the deletion of its old rows.
   */
  clock?: Clock;
  /** Loops that run beside the test's clock. */
  loops?: (context: Context) => Loop[];
  log?: Logger;
  timing?: Timing;
  /** The owner's URL of a server that only this test uses. */
  ownServerUrl?: string;
  /** Another way to the database for the service, such as a proxy. */
  through?: (databaseUrl: string) => string;
}

/** Another process of a service. */
export interface OtherProcess {
  call: Call;
  stop(): Promise<void>;
}

export interface TestService<Context> {
  context: Context;
  url: string;
  ownerUrl: string;
  call: Call;
  /** Starts another process on the same database and queues, with some settings of its own. */
  startOther(settings: Record<string, string | number | undefined>): Promise<OtherProcess>;
  /**
   * Puts a job on the service's queue, as another service's relay would, and waits until it is
   * done.
   */
  deliver<Data extends object>(
    definition: JobDefinition<Data>,
    aggregate: Aggregate & { occurredAt?: Date },
    data: Data,
    messageId?: string,
  ): Promise<void>;
  /**
   * Handles a job in this process, as the worker does once it has one. Without the queue it takes a tenth of
   * the time: for what a test needs before it begins.
   */
  handle: TestService<Context>['deliver'];
  /** Rows of the service's outbox, oldest first; those of one database transaction as they were made. */
  outbox(type?: string): Promise<OutboxRow[]>;
  /** Rows of any statement, as the service's own role. */
  rows<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/**
 * What services of the tests share. A process' own key is in testKeyVariables. The mode is named,
 * because the database may be in a container, at an address that is not this machine's.
 */
export const TEST_ENVIRONMENT = {
  FIADO_MODE: 'sandbox',
  ENCRYPTION_KEY: 'test-encryption-key-0123456789-abcdef',
  CODE_PEPPER: 'test-code-pepper-0123456789-abcdefgh',
  OPS_API_KEY: 'fiado_test_ops-key-0123456789-abcdefgh',
  ACCESS_TOKEN_PRIVATE_KEY: testSigningKey('access tokens'),
};

/** A service for which it is another time than for its database; see TestOptions. */
export function atAnotherTime<Config extends ServiceConfig, Context>(
  definition: ServiceDefinition<Config, Context>,
  loops: (context: Context) => Loop[] = () => [],
): ServiceDefinition<Config, Context> {
  return { ...definition, loops, growingTables: [] };
}

/** Starts a service in this process, on a database and queues of its own and a free port. */
export async function startTestService<
  Config extends ServiceConfig,
  Context extends Foundation<Config>,
>(
  definition: ServiceDefinition<Config, Context>,
  ConfigClass: new () => Config,
  options: TestOptions<Config, Context> = {},
): Promise<TestService<Context>> {
  const { through = (databaseUrl) => databaseUrl, clock, loops } = options;
  const database = await createTestDatabase(definition.schema, options.ownServerUrl);
  const { DATABASE_URL = '', QUEUES_DATABASE_URL = '' } = database.environment;
  const config = loadConfig(ConfigClass, {
    ...TEST_ENVIRONMENT,
    ...testKeyVariables(definition.name),
    ...database.environment,
    DATABASE_URL: through(DATABASE_URL),
    QUEUES_DATABASE_URL: through(QUEUES_DATABASE_URL),
    REDIS_URL: process.env.REDIS_URL,
    QUEUE_PREFIX: database.name,
    JOB_BUNDLES: 'on',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...options.config,
  });
  const start = (settings: Config) =>
    startService(clock === undefined ? definition : atAnotherTime(definition, loops), {
      config: settings,
      port: 0,
      timing: options.timing ?? TEST_TIMING,
      log: options.log ?? createLogger(definition.name, config.LOG_LEVEL),
      ...(clock === undefined ? {} : { clock }),
    });
  const running = await start(config);
  await untilLoopsHaveRun();
  const { context } = running;
  const url = urlOf(running);
  // Columns keep their names. Marked for `npm run plans`, which looks at the statements of the
  // product alone.
  const rows = async <Row extends QueryResultRow>(
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> => (await context.db.connection.query<Row>(`/* test */ ${text}`, values)).rows;

  const jobs = new Map(definition.jobs(context).map((route) => [route.definition.type, route]));

  return {
    context,
    url,
    ownerUrl: database.ownerUrl,
    call: callTo(definition.name, url),
    startOther: async (settings) => {
      const other = await start(Object.assign(new ConfigClass(), config, settings));
      return { call: callTo(definition.name, urlOf(other)), stop: () => other.close() };
    },
    deliver: async (jobDefinition, aggregate, data, messageId = randomUUID()) => {
      const [producer = definition.name] = jobDefinition.producers;
      const envelope = envelopeOf(jobDefinition, aggregate, data, messageId);
      await addJob(context.queues, definition.name, { producer, ...envelope });
      await untilDone(context, definition.name, messageId);
    },
    handle: async (jobDefinition, aggregate, data, messageId = randomUUID()) => {
      const route = jobs.get(jobDefinition.type);
      if (route === undefined) throw new Error(`No handler for jobs of type ${jobDefinition.type}`);
      // As it is in a queue: without what JSON does not know.
      const sent = JSON.stringify(envelopeOf(jobDefinition, aggregate, data, messageId));
      const envelope = JSON.parse(sent) as Envelope;
      await withJobId(envelope, () => route.handle(envelope));
    },
    outbox: (type) =>
      rows<OutboxRow>(
        'SELECT * FROM outbox WHERE $1::text IS NULL OR type = $1 ORDER BY created_at, id',
        [type ?? null],
      ),
    rows,
    stop: async () => {
      await running.close();
      await database.drop();
    },
  };
}

function envelopeOf<Data extends object>(
  { type, version }: JobDefinition<Data>,
  aggregate: Aggregate & { occurredAt?: Date },
  data: Data,
  id: string,
): Envelope {
  return {
    id,
    type,
    version,
    occurredAt: (aggregate.occurredAt ?? new Date()).toISOString(),
    aggregateId: aggregate.id,
    aggregateVersion: aggregate.version,
    data,
  };
}

function urlOf({ port }: { port: number }): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * Waits until each loop has run once, successfully or not. A first iteration that is late would find the rows of a test
 * before the test looks for them.
 */
async function untilLoopsHaveRun(): Promise<void> {
  const deadline = Date.now() + LOOPS_DEADLINE_MS;
  while (Date.now() < deadline) {
    const lastDone = await samplesOf('fiado_loop_last_done_timestamp_seconds');
    const rounds = await samplesOf('fiado_loop_rounds_total');
    const hasFailed = (loop: unknown) =>
      rounds.some(({ labels, value }) => {
        return labels.loop === loop && labels.outcome === 'failed' && value > 0;
      });
    if (lastDone.every(({ labels, value }) => value > 0 || hasFailed(labels.loop))) return;
    await sleep(POLL_MS);
  }
}

/** The values of a metric of this process. */
export async function samplesOf(name: string): Promise<MetricValue<string>[]> {
  return (await register.getSingleMetric(name)?.get())?.values ?? [];
}

/** Puts a job on a queue as its producer's relay would. */
export async function addJob(
  queues: Queues,
  queue: QueueName,
  { producer, opts, ...envelope }: Envelope & { producer: QueueName; opts?: JobsOptions },
): Promise<void> {
  const data = await signEnvelope(testProcessKeys(producer), queue, envelope);
  const jobOptions = { jobId: envelope.id, ...opts };
  await queues.queue(queue).add(envelope.type, data, jobOptions);
}

async function untilDone({ queues }: Foundation, queue: QueueName, jobId: string): Promise<void> {
  const deadline = Date.now() + JOB_DEADLINE_MS;
  for (;;) {
    const state: string = await queues.queue(queue).getJobState(jobId);
    if (state === 'completed') return;
    if (state === 'failed') {
      const { reason } = { reason: undefined, ...(await queues.outcomeOf(queue, jobId)) };
      throw new Error(`The job failed: ${reason}`);
    }
    if (Date.now() > deadline) throw new Error(`The job is still ${state}`);
    await sleep(POLL_MS);
  }
}
