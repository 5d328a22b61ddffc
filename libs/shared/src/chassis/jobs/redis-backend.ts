import { createRedisBackend, QueueKeys, withBackend } from 'bullmq';
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
  const keys = new QueueKeys(prefix);

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
    // BullMQ asks for one job at a time; nearly all that the sweeper asks for are completed.
    completedAmong: async (name, jobIds) => {
      if (jobIds.length === 0) return [];
      const scores = await producer.zmscore(keys.toKey(name, 'completed'), ...jobIds);
      return jobIds.filter((_id, at) => scores[at] !== null);
    },
    ping: async () => {
      await producer.ping();
    },
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}
