import type { FinishedStatus, Job } from 'bullmq';
import type { QueueName } from '@fiado/contracts/define';
import { apartOf, BUNDLE, unverifiedRows } from './bundle';
import type { Queues } from './queues';

export const JOB_STATES = ['failed', 'waiting', 'active', 'delayed', 'completed'] as const;
export type QueueJobState = (typeof JOB_STATES)[number];

/** The state that a job must be in to be retried. */
const RETRIED_STATE: FinishedStatus = 'failed';

/** Most jobs that one call retries. It ends long before its caller's deadline of 8 s. */
export const MAX_RETRIED = 1_000;
/** Failed jobs read at once. */
const PAGE_SIZE = 200;
/** Jobs retried concurrently: a few for each connection of the queues. */
const RETRIED_AT_ONCE = 20;

/** A job as ops sees it. Never its data: that may hold a sealed phone. */
export interface QueueJob {
  jobId: string;
  queue: QueueName;
  type: string;
  state: QueueJobState;
  /** Tries so far. */
  attempts: number;
  /** The error of the last attempt, of a job that is retried too; null for a completed job. */
  failedReason: string | null;
  createdAt: Date;
  failedAt: Date | null;
}

export interface JobRange {
  queue: QueueName;
  state: QueueJobState;
  /** `next` of the page before; 0 for the first. */
  start: number;
  count: number;
}

/** More jobs than any bundle has: a position in a list is a number of bundles and of jobs in the next. */
const BUNDLE_STEP = 64;

/**
 * The jobs of a queue that are in one state, newest first, those inside bundles one by one. (The
 * other way round, BullMQ turns each page of a list over on Postgres, so that pages overlap.)
 * @returns also where the next page starts; null if there are no more
 */
export async function findJobs(
  queues: Queues,
  { queue, state, start, count }: JobRange,
): Promise<{ jobs: QueueJob[]; next: number | null }> {
  const first = Math.floor(start / BUNDLE_STEP);
  // One more than a page shows whether another page follows.
  const read: Job[] = await queues.queue(queue).getJobs([state], first, first + count, false);
  const found = read.flatMap((job, at) =>
    queueJobsOf(job, queue, state).map((one, inBundle) => ({
      one,
      position: (first + at) * BUNDLE_STEP + inBundle,
    })),
  );
  const rest = found.filter(({ position }) => position >= start);
  const unread = read.length > count ? (first + read.length) * BUNDLE_STEP : null;
  return {
    jobs: rest.slice(0, count).map(({ one }) => one),
    next: rest[count]?.position ?? unread,
  };
}

/** The jobs in an entry of a queue: one, or all of a bundle. A failed bundle was refused, and is one job. */
function queueJobsOf(job: Job, queue: QueueName, state: QueueJobState): QueueJob[] {
  const one = queueJobOf(job, queue, state);
  if (job.name !== BUNDLE || state === RETRIED_STATE) return [one];
  const apart = apartOf(job.returnvalue);
  return unverifiedRows(job.data)
    .filter(({ id }) => !apart.has(id))
    .map(({ id, type }) => ({ ...one, jobId: id, type }));
}

/** A job with its state of this moment; undefined when the queue does not know it. */
export async function findJob(
  queues: Queues,
  queue: QueueName,
  jobId: string,
): Promise<QueueJob | undefined> {
  const job: Job | undefined = await queues.queue(queue).getJob(jobId);
  if (job === undefined) return undefined;
  const found = await job.getState();
  const state = JOB_STATES.find((one) => one === found);
  // It is changing its state, or the queue has deleted it: it is not listed.
  return state === undefined ? undefined : queueJobOf(job, queue, state);
}

/**
 * Retries a failed job, with all its attempts.
 * @returns false when it is not failed (any more), or not known
 */
export async function retryJob(queues: Queues, queue: QueueName, jobId: string): Promise<boolean> {
  const job: Job | undefined = await queues.queue(queue).getJob(jobId);
  if (job === undefined) return false;
  try {
    await job.retry(RETRIED_STATE, { resetAttemptsMade: true, resetAttemptsStarted: true });
    return true;
  } catch (error) {
    // Somebody else retried it first. Any other error means that the queue is unavailable.
    if (await job.isFailed()) throw error;
    return false;
  }
}

/**
 * Retries the failed jobs of a queue, the oldest first, with all their attempts.
 * @param type only jobs of this type
 * @returns how many; there may be more when it is MAX_RETRIED
 */
export async function retryFailedJobs(
  queues: Queues,
  queue: QueueName,
  type?: string,
): Promise<number> {
  const { failed = 0 } = await queues.queue(queue).getJobCounts(RETRIED_STATE);
  const jobIds: string[] = [];
  // All are found before the first one is retried: that would shift the pages. The newest come
  // first, so the last page has the oldest.
  for (let end = failed; end > 0 && jobIds.length < MAX_RETRIED; end -= PAGE_SIZE) {
    const start = Math.max(0, end - PAGE_SIZE);
    const read: Job[] = await queues.queue(queue).getJobs([RETRIED_STATE], start, end - 1, false);
    const page = read.map((job) => queueJobOf(job, queue, RETRIED_STATE));
    const wanted = page.filter((job) => type === undefined || job.type === type);
    jobIds.push(...wanted.map(({ jobId }) => jobId).toReversed());
  }
  const chosen = jobIds.slice(0, MAX_RETRIED);
  let retried = 0;
  for (let start = 0; start < chosen.length; start += RETRIED_AT_ONCE) {
    const chunk = chosen.slice(start, start + RETRIED_AT_ONCE);
    const done = await Promise.all(chunk.map((jobId) => retryJob(queues, queue, jobId)));
    retried += done.filter(Boolean).length;
  }
  return retried;
}

function queueJobOf(job: Job, queue: QueueName, state: QueueJobState): QueueJob {
  const failed = state === RETRIED_STATE;
  return {
    jobId: job.id ?? '',
    queue,
    type: job.name,
    state,
    attempts: job.attemptsMade,
    // Of a job that was never tried or is completed BullMQ keeps none, or an older one.
    failedReason: state === 'completed' ? null : (job.failedReason ?? null),
    createdAt: new Date(job.timestamp),
    failedAt: failed && job.finishedOn !== undefined ? new Date(job.finishedOn) : null,
  };
}
