import { once } from 'node:events';
import { createRedisBackend, QueueKeys, withBackend } from 'bullmq';
import { evictionPolicyIn } from './eviction-policy';
import { openRedis } from './open-redis';
import { JOB_OPTIONS, WORKER_TIMING } from './queue-settings';
import type { QueueBackend } from './queues';

/** Reconnect quickly: the default backoff climbs to 20 s, and a code by SMS cannot wait so long. */
const MAX_RECONNECT_DELAY_MS = 500;
const RECONNECT_STEP_MS = 100;

/**
 * Connecting takes milliseconds; a process that starts does not wait for a Redis that is
 * unavailable.
 */
const FIRST_CONNECTION_MS = 1_000;

const reconnecting = {
  retryStrategy: (times: number) => Math.min(times * RECONNECT_STEP_MS, MAX_RECONNECT_DELAY_MS),
};

/** First part of a queue's keys. In braces: all keys of a queue are in one slot of a cluster. */
function prefixOf(prefix: string, queue: string): string {
  return `{${prefix}-${queue}}`;
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
  const producer = openRedis(url, {
    ...reconnecting,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  });
  const consumer = openRedis(url, { ...reconnecting, maxRetriesPerRequest: null });
  producer.on('error', onError);
  consumer.on('error', onError);
  const { Queue, Worker } = withBackend(createRedisBackend);

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
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}
