import type { DataSource } from 'typeorm';
import { query } from './db/query';
import type { Queues } from './jobs/queues';
import type { Logger } from './logger';
import { Loop } from './loop';
import { recordSample } from './queue-metrics';

/** How often queue and outbox are looked at: more often than anyone asks for metrics. */
const SAMPLE_MS = 10_000;

/**
 * Keeps the gauges of a service: how deep its queue and its outbox are, and its own.
 * @param sampleOwn sets what the service itself counts
 */
export function createSampler(
  { db, queues, log }: { db: DataSource; queues: Queues; log: Logger },
  service: string,
  sampleOwn: () => Promise<void>,
): Loop {
  return new Loop({
    name: 'metrics sampler',
    everyMs: SAMPLE_MS,
    log,
    round: async () => {
      recordSample({
        service,
        queue: await queues.queue(service).getJobCounts('waiting', 'active', 'delayed', 'failed'),
        queueOldestWaitingSeconds: await queues.oldestWaitingSeconds(service),
        outbox: await sampleOutbox(db),
      });
      await sampleOwn();
    },
  });
}

async function sampleOutbox(
  db: DataSource,
): Promise<{ waiting: number; dead: number; oldestWaitingSeconds: number }> {
  const [row] = await query<{ waiting: number; dead: number; oldestWaitingSeconds: number }>(
    db,
    `SELECT waiting.count AS waiting, dead.count AS dead,
            coalesce(EXTRACT(EPOCH FROM now() - waiting.oldest), 0)::float8
              AS "oldestWaitingSeconds"
       FROM (SELECT count(*), min(created_at) AS oldest FROM outbox
              WHERE enqueued_at IS NULL) waiting,
            (SELECT count(*) FROM outbox
              WHERE dead_at IS NOT NULL AND done_at IS NULL) dead`,
  );
  return row ?? { waiting: 0, dead: 0, oldestWaitingSeconds: 0 };
}
