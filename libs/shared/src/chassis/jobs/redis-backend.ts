import { createRedisBackend, withBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { JOB_OPTIONS, WORKER_TIMING } from './queue-settings';
import type { QueueBackend } from './queues';

/** Reconnect quickly: the default backoff climbs to 20 s, and a code by SMS cannot wait so long. */
const MAX_RECONNECT_DELAY_MS = 500;
const RECONNECT_STEP_MS = 100;

const reconnecting: RedisOptions = {
  retryStrategy: (times) => Math.min(times * RECONNECT_STEP_MS, MAX_RECONNECT_DELAY_MS),
};

/** Queues in Redis. Producers fail at once when it is away; workers wait for it. */
export function redisBackend(
  url: string,
  prefix: string,
  onError: (error: Error) => void,
): QueueBackend {
  const producer = new Redis(url, {
    ...reconnecting,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  });
  const consumer = new Redis(url, { ...reconnecting, maxRetriesPerRequest: null });
  producer.on('error', onError);
  consumer.on('error', onError);
  const { Queue, Worker } = withBackend(createRedisBackend);

  return {
    openQueue: (name) =>
      new Queue(name, { connection: producer, prefix, defaultJobOptions: JOB_OPTIONS }),
    openWorker: (name, processor) =>
      new Worker(name, processor, {
        connection: consumer,
        prefix,
        autorun: false,
        ...WORKER_TIMING,
      }),
    connectsOnce: false,
    ping: async () => {
      await producer.ping();
    },
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}
