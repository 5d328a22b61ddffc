import type { DefaultJobOptions, KeepJobs } from 'bullmq';

/**
 * Attempts at half a second and then doubling delays, about a minute in all. Temporary faults (a
 * lock, a restart) are over by then. A job that still fails becomes a dead letter, which ops can
 * see and retry.
 */
const ATTEMPTS = 8;
const BACKOFF_MS = 500;

/**
 * How long finished jobs are kept: longer than the sweeper waits before it looks them up. The limit is an
 * age and not a count: BullMQ on Postgres would count all kept jobs again whenever a job ends, which
 * took 15 ms with 20,000 kept jobs (measured: 65 jobs a second instead of
 * some hundreds).
 */
const KEEP_COMPLETED: KeepJobs = { age: 600 };
const KEEP_FAILED: KeepJobs = { age: 7 * 24 * 3600 };

export const JOB_OPTIONS: DefaultJobOptions = {
  attempts: ATTEMPTS,
  backoff: { type: 'exponential', delay: BACKOFF_MS, jitter: 0.5 },
  removeOnComplete: KEEP_COMPLETED,
  removeOnFail: KEEP_FAILED,
};

/**
 * Pause of a worker that could not fetch a job or store the outcome of one. With BullMQ's default
 * of 15 s, no SMS were sent for that time after a short database outage.
 */
const ASK_AGAIN_MS = 500;

/** Recovery of a crashed worker's jobs takes 9 to 12 s with these, a minute with the defaults. */
export const WORKER_TIMING = {
  concurrency: 10,
  lockDuration: 10_000,
  stalledInterval: 3_000,
  maxStalledCount: 5,
  runRetryDelay: ASK_AGAIN_MS,
};
