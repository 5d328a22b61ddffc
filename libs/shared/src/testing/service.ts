import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import type { Clock } from '../clock';
import { loadConfig } from '../chassis/config';
import { query } from '../chassis/db/query';
import { INTERNAL_TOKEN_HEADER, InternalTokens, type Caller } from '../chassis/internal-token';
import type { JobDefinition } from '../chassis/jobs/define-job';
import { createLogger, type Logger } from '../chassis/logger';
import type { Aggregate, OutboxRow } from '../chassis/outbox/append';
import { startService, type Foundation, type ServiceDefinition } from '../chassis/service';
import type { ServiceConfig } from '../chassis/service-config';
import { createTestDatabase } from './database';
import { send, type Answer } from './http';

export type { Answer } from './http';

/** How long a job may take before a test gives it up. */
const JOB_DEADLINE_MS = 60_000;
const POLL_MS = 10;

export interface TestOptions<Config> {
  config?: Partial<Record<keyof Config & string, string>>;
  clock?: Clock;
  log?: Logger;
}

export interface TestService<Context> {
  context: Context;
  url: string;
  ownerUrl: string;
  /** A request as that caller; the body is sent as JSON, a string as it is. */
  call(
    caller: Caller | undefined,
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** Puts a job on the service's queue, as a neighbour's relay would, and waits until it is done. */
  deliver<Data extends object>(
    definition: JobDefinition<Data>,
    aggregate: Aggregate,
    data: Data,
    messageId?: string,
  ): Promise<void>;
  /** Rows of the service's outbox, oldest first. */
  outbox(type?: string): Promise<OutboxRow[]>;
  /** Rows of any statement, as the service's own role. */
  rows<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

export const TEST_ENVIRONMENT = {
  INTERNAL_TOKEN_SECRET: 'test-internal-token-secret-0123456789',
  ENCRYPTION_KEY: 'test-encryption-key-0123456789-abcdef',
  CODE_PEPPER: 'test-code-pepper-0123456789-abcdefgh',
  OPS_API_KEY: 'fiado_test_ops-key-0123456789-abcdefgh',
  ACCESS_TOKEN_PRIVATE_KEY: newSigningKey(),
};

/** An Ed25519 key as the supervisor makes it: base64 of PKCS8 PEM. */
function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
}

/** Starts a service in this process, on a database and queues of its own and a free port. */
export async function startTestService<
  Config extends ServiceConfig,
  Context extends Foundation<Config>,
>(
  definition: ServiceDefinition<Config, Context>,
  ConfigClass: new () => Config,
  options: TestOptions<Config> = {},
): Promise<TestService<Context>> {
  const database = await createTestDatabase(definition.schema);
  const config = loadConfig(ConfigClass, {
    ...TEST_ENVIRONMENT,
    DATABASE_URL: database.ownerUrl,
    REDIS_URL: process.env.REDIS_URL,
    QUEUE_PREFIX: database.name,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...options.config,
  });
  const running = await startService(definition, {
    config,
    port: 0,
    log: options.log ?? createLogger(definition.name, config.LOG_LEVEL),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  const { context } = running;
  const url = `http://127.0.0.1:${running.port}`;
  const tokens = new InternalTokens(config.INTERNAL_TOKEN_SECRET);

  return {
    context,
    url,
    ownerUrl: database.ownerUrl,
    call: (caller, method, path, { body, headers = {} } = {}) =>
      send(`${url}${path}`, method, body, {
        ...(caller === undefined ? {} : { [INTERNAL_TOKEN_HEADER]: tokens.sign(caller) }),
        ...headers,
      }),
    deliver: async (jobDefinition, aggregate, data, messageId = randomUUID()) => {
      await context.queues.add(definition.name, [
        {
          id: messageId,
          type: jobDefinition.type,
          version: jobDefinition.version,
          occurredAt: new Date().toISOString(),
          aggregateId: aggregate.id,
          aggregateVersion: aggregate.version,
          data,
        },
      ]);
      await untilDone(context, definition.name, messageId);
    },
    outbox: (type) =>
      query<OutboxRow>(
        context.db,
        '/* test */ SELECT * FROM outbox WHERE $1::text IS NULL OR type = $1 ORDER BY created_at',
        [type ?? null],
      ),
    // Marked for `npm run plans`, which looks at the statements of the product alone.
    rows: (text, values) => query(context.db, `/* test */ ${text}`, values),
    stop: async () => {
      await running.close();
      await database.drop();
    },
  };
}

async function untilDone(context: Foundation, queue: string, jobId: string): Promise<void> {
  const deadline = Date.now() + JOB_DEADLINE_MS;
  for (;;) {
    const outcome = await context.queues.outcomeOf(queue, jobId);
    if (outcome.state === 'completed') return;
    if (outcome.state === 'failed') throw new Error(`The job failed: ${outcome.reason}`);
    if (Date.now() > deadline) throw new Error(`The job is still ${outcome.state}`);
    await sleep(POLL_MS);
  }
}
