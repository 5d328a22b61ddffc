import type { DefaultJobOptions, KeepJobs } from 'bullmq';

/**
 * A fault that heals (a lock, a restart) is over within these tries: half a second doubling, about
 * a minute in all. What fails for longer becomes a dead letter that ops sees and retries.
 */
const ATTEMPTS = 8;
const BACKOFF_MS = 500;

/**
 * Finished jobs are kept longer than the sweeper waits to ask for them, and not for ever. By age
 * and not by count: BullMQ on Postgres counts all that it keeps again for each job that ends, and
 * with 20,000 kept that was 15 ms of every job (measured: 65 jobs a second instead of some
 * hundreds).
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
 * How long a worker rests that could not ask for its next job, or write down the outcome of one.
 * BullMQ's default is 15 s: so long after a short outage of the database no SMS went out.
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
