import type { Pool } from 'pg';
import { Counter, Gauge, Histogram } from 'prom-client';
import { createLiveGauge } from './metrics';

const jobs = new Counter({
  name: 'fiado_jobs_total',
  help: 'Tries of jobs by what came of them: done, retried, failed for good, or put back as the database was away',
  labelNames: ['queue', 'type', 'outcome'] as const,
});

const queueJobs = new Gauge({
  name: 'fiado_queue_jobs',
  help: 'Jobs of the service in its queue by state',
  labelNames: ['queue', 'state'] as const,
});

const queueAge = new Gauge({
  name: 'fiado_queue_oldest_waiting_seconds',
  help: 'Age of the job that waits longest for a worker of the service; 0 when none does',
  labelNames: ['queue'] as const,
});

const outboxJobs = new Gauge({
  name: 'fiado_outbox_jobs',
  help: 'Jobs in the outbox that wait for their queue, or that failed for good',
  labelNames: ['schema', 'state'] as const,
});

const outboxAge = new Gauge({
  name: 'fiado_outbox_oldest_waiting_seconds',
  help: 'Age of the oldest job in the outbox that waits for its queue; 0 when none does',
  labelNames: ['schema'] as const,
});

const relayDelay = new Histogram({
  name: 'fiado_outbox_relay_delay_seconds',
  help: 'Time from the commit of a job until the relay took it, on the database’s clock',
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

/** What is looked at every few seconds, because counting is not free. */
export interface Sample {
  service: string;
  queue: Record<string, number>;
  queueOldestWaitingSeconds: number;
  outbox: { waiting: number; dead: number; oldestWaitingSeconds: number };
}

export function recordSample({ service, queue, queueOldestWaitingSeconds, outbox }: Sample): void {
  for (const [state, count] of Object.entries(queue)) {
    queueJobs.set({ queue: service, state }, count);
  }
  queueAge.set({ queue: service }, queueOldestWaitingSeconds);
  outboxJobs.set({ schema: service, state: 'waiting' }, outbox.waiting);
  outboxJobs.set({ schema: service, state: 'dead' }, outbox.dead);
  outboxAge.set({ schema: service }, outbox.oldestWaitingSeconds);
}

/** Tells a pool's connections at every look from now on. */
export function watchPool(schema: string, pool: Pool): void {
  pools.set(schema, pool);
}

const JOB_OUTCOMES = ['done', 'retried', 'failed', 'put-back'] as const;
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
