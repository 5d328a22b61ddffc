import type { Pool } from 'pg';
import { Counter, Histogram } from 'prom-client';
import { createGauge, createLiveGauge, type Reading } from '../metrics';
import { Progress, STUCK_MS } from '../progress';

const jobs = new Counter({
  name: 'fiado_jobs_total',
  help: 'Attempts of jobs, by outcome: done, retried, failed for good, put back because the database was unavailable, or refused as forged',
  labelNames: ['queue', 'type', 'outcome'] as const,
});

const queueJobs = createGauge(
  'fiado_queue_jobs',
  'Jobs in a queue by state, exported by its worker and by every service that adds jobs to it',
  ['queue', 'state'],
);

const queueAge = createGauge(
  'fiado_queue_oldest_waiting_seconds',
  'Age of the oldest job in a queue that waits for a worker; 0 if none waits',
  ['queue'],
);

const outboxJobs = createGauge(
  'fiado_outbox_jobs',
  'Jobs in the outbox that wait for their queue, or failed for good',
  ['schema', 'state'],
);

const outboxAge = createGauge(
  'fiado_outbox_oldest_waiting_seconds',
  'Age of the oldest job in the outbox that waits for its queue; 0 if none waits',
  ['schema'],
);

const relayDelay = new Histogram({
  name: 'fiado_outbox_relay_delay_seconds',
  help: 'Time from the commit of a job until its relay, by the database’s clock',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
});

const pools = new Map<string, Pool>();

createLiveGauge(
  'fiado_database_pool_connections',
  'Connections of a pool by state: in use, idle, or waited for',
  ['schema', 'state'],
  (set) => {
    for (const [schema, { totalCount, idleCount, waitingCount }] of pools) {
      set({ schema, state: 'used' }, totalCount - idleCount);
      set({ schema, state: 'idle' }, idleCount);
      set({ schema, state: 'waiting' }, waitingCount);
    }
  },
);

createLiveGauge(
  'fiado_database_pool_max_connections',
  'Connections that a pool may open',
  ['schema'],
  (set) => {
    for (const [schema, { options }] of pools) set({ schema }, options.max);
  },
);

export interface QueueDepth {
  /** Jobs by state. */
  jobs: Record<string, number>;
  oldestWaitingSeconds: number;
}

export function queueReadings(
  queue: string,
  { jobs, oldestWaitingSeconds }: QueueDepth,
): Reading[] {
  return [
    ...Object.entries(jobs).map(([state, count]) => queueJobs({ queue, state }, count)),
    queueAge({ queue }, oldestWaitingSeconds),
  ];
}

export interface OutboxDepth {
  waiting: number;
  dead: number;
  oldestWaitingSeconds: number;
}

export function outboxReadings(
  schema: string,
  { waiting, dead, oldestWaitingSeconds }: OutboxDepth,
): Reading[] {
  return [
    outboxJobs({ schema, state: 'waiting' }, waiting),
    outboxJobs({ schema, state: 'dead' }, dead),
    outboxAge({ schema }, oldestWaitingSeconds),
  ];
}

/** Exports the connections of a pool from now on, and whether those that wait for one still get one. */
export function watchPool(schema: string, pool: Pool): void {
  pools.set(schema, pool);
  const progress = new Progress('pool', schema, STUCK_MS, () => pool.waitingCount > 0);
  pool.on('acquire', () => progress.began());
  pool.on('release', () => progress.ended());
}

const JOB_OUTCOMES = ['done', 'retried', 'failed', 'put-back', 'refused'] as const;
type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** Makes a job's metrics known before the first one. */
export function announceJob(queue: string, type: string): void {
  for (const outcome of JOB_OUTCOMES) jobs.inc({ queue, type, outcome }, 0);
}

export function countJob(queue: string, type: string, outcome: JobOutcome): void {
  jobs.inc({ queue, type, outcome });
}

export function observeRelayDelay(seconds: number): void {
  relayDelay.observe(seconds);
}
