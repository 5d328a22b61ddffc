import { createPostgresBackend, withBackend, type PostgresConnectionOptions } from 'bullmq';
import { Pool } from 'pg';
import { IDLE_CONNECTION_MS } from '../db/database';
import { checkWritable, dropReadOnly } from '../db/writable';
import type { QueueName } from '@fiado/contracts/define-job';
import { JOB_OPTIONS, WORKER_TIMING } from './queue-settings';
import type { QueueBackend } from './queues';

/**
 * Connections for all queues and workers of a process. Each worker holds one for LISTEN; measured:
 * one shared pool of 12 does the work of the 24 that separate ones open.
 */
const POOL_SIZE = 8;
const CONNECT_TIMEOUT_MS = 2_000;
/** More queue objects than Node's default of 10 listen on the one pool. */
const MAX_LISTENERS = 64;

/**
 * Name of a queue's rows. Jobs of releases that did not sign them lie under the bare name, where
 * nobody takes them: the outbox adds them again, signed.
 */
function rowsOf(queue: QueueName): string {
  return `fiado-${queue}`;
}

/** Queues in the schema that the role's search_path names: nothing but Postgres to run. */
export function postgresBackend(url: string, onError: (error: Error) => void): QueueBackend {
  const pool = new Pool({
    connectionString: url,
    application_name: 'fiado queues',
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    // A LISTEN connection that a firewall dropped is noticed, not waited on.
    keepAlive: true,
    verify: dropReadOnly,
  });
  pool.setMaxListeners(MAX_LISTENERS);
  pool.on('error', onError);
  const { Queue, Worker } = withBackend(createPostgresBackend);
  // BullMQ takes a pg.Pool as it is, but types it by a sketch of its own that pg's overloads miss.
  const connection = pool as unknown as PostgresConnectionOptions;

  return {
    openQueue: (name) => new Queue(rowsOf(name), { connection, defaultJobOptions: JOB_OPTIONS }),
    openWorker: (name, processor) =>
      new Worker(rowsOf(name), processor, { connection, autorun: false, ...WORKER_TIMING }),
    connectsOnce: true,
    // BullMQ returns the state of one job at a time, and its tables are private.
    completedAmong: () => Promise.resolve([]),
    ping: () => checkWritable(pool),
    close: () => pool.end(),
  };
}
