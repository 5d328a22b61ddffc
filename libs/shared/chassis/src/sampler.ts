import type { Database } from './db/database';
import { query } from './db/query';
import type { QueueName } from '@fiado/contracts/define';
import { policyReading } from './jobs/open-redis';
import type { Queues } from './jobs/queues';
import type { Logger } from './logger';
import { Loop } from './loop';
import { createLiveGauge, type Reading } from './metrics';
import { TIMING } from './timing';
import { outboxReadings, queueReadings, type OutboxDepth } from './jobs/queue-metrics';

/** A statement ends within 5 s; a connection to Redis that a network dropped may never answer. */
const READ_TIMEOUT_MS = 6_000;

/** Gauges that are read together, from one source. */
export interface Sample {
  name: string;
  /** Pause between two reads, where reading it often costs too much. */
  everyMs?: number;
  read: () => Promise<Reading[]>;
}

/** When each sample was last read, or its first read began, on the monotonic clock. */
const lastReadAtMs = new Map<string, number>();

createLiveGauge(
  'fiado_sample_age_seconds',
  'Time since the gauges of a sample were last read; while they cannot be read they are absent',
  ['sample'],
  (set) => {
    for (const [sample, atMs] of lastReadAtMs) set({ sample }, (performance.now() - atMs) / 1_000);
  },
);

/**
 * Reads a sample again and again, in a loop of its own: one that hangs or fails does not affect the
 * others. Its gauges are not exported while it cannot be read, because alerts would treat old
 * values as current.
 */
export function createSampler(
  { name, read, ...sample }: Sample,
  log: Logger,
  timing = TIMING,
): Loop {
  lastReadAtMs.set(name, performance.now());
  let exported: Reading[] = [];
  const replaceBy = (readings: Reading[]) => {
    for (const reading of exported) reading.forget();
    for (const reading of readings) reading.record();
    exported = readings;
  };
  return new Loop(log, {
    name: `sample ${name}`,
    everyMs: sample.everyMs ?? timing.sample,
    round: async () => {
      try {
        replaceBy(await Promise.race([read(), failAfter(READ_TIMEOUT_MS)]));
      } catch (error) {
        replaceBy([]);
        throw error;
      }
      lastReadAtMs.set(name, performance.now());
    },
  });
}

function failAfter(ms: number): Promise<never> {
  const error = new Error(`The sample was not read within ${ms} ms`);
  return new Promise((_resolve, reject) => setTimeout(() => reject(error), ms).unref());
}

/** Depth and age of a service's outbox. */
export function outboxSample(db: Database, schema: string): Sample {
  return {
    name: 'outbox',
    read: async () => {
      const [depth] = await query<OutboxDepth>(
        db,
        `SELECT waiting.count AS waiting, dead.count AS dead,
                coalesce(EXTRACT(EPOCH FROM now() - waiting.oldest), 0)::float8
                  AS "oldestWaitingSeconds"
           FROM (SELECT count(*), min(created_at) AS oldest FROM outbox
                  WHERE enqueued_at IS NULL) waiting,
                (SELECT count(*) FROM outbox
                  WHERE dead_at IS NOT NULL AND done_at IS NULL) dead`,
      );
      return depth === undefined ? [] : outboxReadings(schema, depth);
    },
  };
}

/** Depth and age of queues, and the eviction policy of their Redis. */
export function queuesSample(queues: Queues, names: QueueName[]): Sample {
  return {
    name: 'queues',
    read: async () => {
      // BullMQ waits for a Redis that is unavailable, this fails at once.
      await queues.ping();
      const readings = names.map(async (name) =>
        queueReadings(name, {
          jobs: await queues.countJobs(name),
          oldestWaitingSeconds: await queues.oldestWaitingSeconds(name),
        }),
      );
      // Awaited together: one that fails while another is awaited would end the process.
      const [policy, ...depths] = await Promise.all([queues.evictionPolicy(), ...readings]);
      return [policyReading(policy), ...depths.flat()];
    },
  };
}
