import { once } from 'node:events';
import {
  createPostgresBackend,
  createRedisBackend,
  QueueKeys,
  withBackend,
  type PostgresConnectionOptions,
  type Processor,
  type Queue,
  type Worker,
} from 'bullmq';
import { Pool } from 'pg';
import type { QueueName } from '@fiado/contracts/define';
import { IDLE_CONNECTION_MS } from '../db/database';
import { KEEP_ALIVE, LimitedClient } from '../db/limited-client';
import { checkWritable, distrustAfterSilence, dropReadOnly, untilWritable } from '../db/writable';
import { TIMING } from '../timing';
import { evictionPolicyIn, letDuplicatesBlock, openRedis, SILENCE_MS } from './open-redis';
import { JOB_OPTIONS, WORKER_TIMING } from './queue-settings';
import type { BundleResult } from './bundle';
import type { SignedBundle, SignedEnvelope } from './signed-envelope';

/** The part of BullMQ's queue and worker that Fiado uses: alike on both backends. */
export interface BullQueue extends Pick<
  Queue,
  | 'add'
  | 'addBulk'
  | 'getJob'
  | 'getJobState'
  | 'getJobs'
  | 'getJobCounts'
  | 'getRanges'
  | 'waitUntilReady'
  | 'close'
> {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface BullWorker extends Pick<
  Worker,
  'close' | 'run' | 'isRunning' | 'waitUntilReady' | 'pause' | 'resume'
> {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Works on a job, or on a bundle of jobs. */
export type JobProcessor = Processor<SignedEnvelope | SignedBundle, BundleResult | void>;

/** One of the two queue backends: the only code that differs between them. */
export interface QueueBackend {
  /** @throws Error when its first connection would have to wait */
  openQueue(name: QueueName): BullQueue;
  openWorker(name: QueueName, processor: JobProcessor): BullWorker;
  /** Waits for the first connection. @throws Error when Postgres cannot be reached */
  untilConnected(): Promise<void>;
  /** Whether a queue or worker whose first connection fails never tries another one. */
  connectsOnce: boolean;
  /** Ends all connections at once, also those in use: the start has failed. */
  abandon(): void;
  /** The jobs that it knows to be completed, in one round trip; it may return none. */
  completedAmong(name: string, jobIds: string[]): Promise<string[]>;
  ping(): Promise<void>;
  /** The `maxmemory-policy` of Redis, or unknown. Postgres has none. */
  evictionPolicy?(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Connections for all queues and workers of a process. Each worker holds one for LISTEN; measured:
 * one shared pool of 12 does the work of the 24 that separate ones open.
 */
const POOL_SIZE = 8;

/** More queue objects than Node's default of 10 listen on the one pool. */
const MAX_LISTENERS = 64;

/** Name of a queue's rows. */
function rowsOf(queue: QueueName): string {
  return `fiado-${queue}`;
}

/** Queues in the schema that the role's search_path names: nothing but Postgres to run. */
export function postgresBackend(
  url: string,
  connectTimeoutMs = TIMING.connect,
  onError: (error: Error) => void,
): QueueBackend {
  const pool = new Pool({
    connectionString: url,
    application_name: 'fiado queues',
    max: POOL_SIZE,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    Client: LimitedClient,
    // A LISTEN connection that a firewall dropped is noticed, not waited on.
    ...KEEP_ALIVE,
    verify: dropReadOnly,
  });
  pool.setMaxListeners(MAX_LISTENERS);
  pool.on('error', onError);
  const connections = distrustAfterSilence(pool);
  const { Queue, Worker } = withBackend(createPostgresBackend);
  // BullMQ takes a pg.Pool as it is, but types it by a sketch of its own that pg's overloads miss.
  const connection = pool as unknown as PostgresConnectionOptions;

  return {
    openQueue: (name) => new Queue(rowsOf(name), { connection, defaultJobOptions: JOB_OPTIONS }),
    openWorker: (name, processor) =>
      new Worker(rowsOf(name), processor, { connection, autorun: false, ...WORKER_TIMING }),
    connectsOnce: true,
    untilConnected: () => untilWritable(pool, onError),
    // BullMQ returns the state of one job at a time, and its tables are private.
    completedAmong: () => Promise.resolve([]),
    ping: () => checkWritable(pool),
    close: () => pool.end(),
    abandon: () => {
      // Opens no more, and would wait for those in use: a worker keeps one for LISTEN.
      pool.end().catch(onError);
      for (const one of connections) one.reset();
    },
  };
}

/** Reconnect quickly: the default backoff climbs to 20 s, and a code by SMS cannot wait so long. */
const MAX_RECONNECT_DELAY_MS = 500;

const RECONNECT_STEP_MS = 100;

/**
 * Connecting takes milliseconds; a process that starts does not wait for a Redis that is
 * unavailable.
 */
const FIRST_CONNECTION_MS = 1_000;

/** Longest wait of a producer for an answer, in milliseconds, also on a second connection. */
const ANSWER_LIMIT_MS = 2 * SILENCE_MS;

const reconnecting = {
  retryStrategy: (times: number) => Math.min(times * RECONNECT_STEP_MS, MAX_RECONNECT_DELAY_MS),
};

/** First part of a queue's keys. In braces: all keys of a queue are in one slot of a cluster. */
function prefixOf(prefix: string, queue: string): string {
  return `{${prefix}-${queue}}`;
}

/** The connections of a process: one to add jobs, and one that the worker shares or duplicates. */
function openClients(url: string) {
  const producer = openRedis(url, {
    ...reconnecting,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    socketTimeout: SILENCE_MS,
    commandTimeout: ANSWER_LIMIT_MS,
  });
  const consumer = letDuplicatesBlock(
    openRedis(url, { ...reconnecting, maxRetriesPerRequest: null, socketTimeout: SILENCE_MS }),
  );
  return { producer, consumer };
}

/**
 * Queues in Redis. Producers fail at once when it is unavailable, in a Cluster after two seconds of
 * redirections; workers wait for it.
 */
export function redisBackend(
  url: string,
  prefix: string,
  onError: (error: Error) => void,
): QueueBackend {
  const { producer, consumer } = openClients(url);
  producer.on('error', onError);
  consumer.on('error', onError);
  const { Queue, Worker } = withBackend(createRedisBackend);
  const disconnect = (): void => {
    producer.disconnect();
    consumer.disconnect();
  };

  return {
    openQueue: (name) => {
      // BullMQ waits for its first connection for ever, and so would all producers.
      if (producer.status !== 'ready') throw new Error('Redis is unavailable');
      return new Queue(name, {
        connection: producer,
        prefix: prefixOf(prefix, name),
        defaultJobOptions: JOB_OPTIONS,
      });
    },
    openWorker: (name, processor) =>
      new Worker(name, processor, {
        connection: consumer,
        prefix: prefixOf(prefix, name),
        autorun: false,
        ...WORKER_TIMING,
      }),
    untilConnected: async () => {
      if (producer.status === 'ready') return;
      const signal = AbortSignal.timeout(FIRST_CONNECTION_MS);
      await once(producer, 'ready', { signal }).catch(() => undefined);
    },
    connectsOnce: false,
    // BullMQ asks for one job at a time; nearly all that the sweeper asks for are completed.
    completedAmong: async (name, jobIds) => {
      if (jobIds.length === 0) return [];
      const completed = new QueueKeys(prefixOf(prefix, name)).toKey(name, 'completed');
      const scores = await producer.zmscore(completed, ...jobIds);
      return jobIds.filter((_id, at) => scores[at] !== null);
    },
    ping: async () => {
      if (!producer.isCluster) return void (await producer.ping());
      // A node answers a ping also while the slots of another have no master.
      const state = await producer.cluster('INFO');
      if (!state.includes('cluster_state:ok')) throw new Error('The Redis Cluster is incomplete');
    },
    evictionPolicy: async () => {
      const nodes = 'nodes' in producer ? producer.nodes('master') : [producer];
      return evictionPolicyIn(await Promise.all(nodes.map((node) => node.info('memory'))));
    },
    close: async () => disconnect(),
    abandon: disconnect,
  };
}
