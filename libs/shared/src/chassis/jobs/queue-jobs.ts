import type { FinishedStatus, Job } from 'bullmq';
import type { QueueName } from './define-job';
import type { Queues } from './queues';

export const QUEUE_NAMES: QueueName[] = ['accounts', 'transactions', 'payments', 'notifier'];

export const JOB_STATES = ['failed', 'waiting', 'active', 'delayed', 'completed'] as const;
export type QueueJobState = (typeof JOB_STATES)[number];

/** The state that a job must be in to be retried. */
const RETRIED_STATE: FinishedStatus = 'failed';

/** A job as ops sees it. Never its data: that may hold a sealed phone. */
export interface QueueJob {
  jobId: string;
  queue: QueueName;
  type: string;
  state: QueueJobState;
  /** Tries so far. */
  attempts: number;
  failedReason: string | null;
  createdAt: Date;
  failedAt: Date | null;
}

export interface JobRange {
  queue: QueueName;
  state: QueueJobState;
  /** Jobs to pass over. */
  start: number;
  count: number;
}

/**
 * The jobs of a queue that are in one state, newest first. (The other way round, BullMQ turns each
 * page of a list over on Postgres, so that pages overlap.)
 */
export async function findJobs(
  queues: Queues,
  { queue, state, start, count }: JobRange,
): Promise<QueueJob[]> {
  const jobs: Job[] = await queues.queue(queue).getJobs([state], start, start + count - 1, false);
  return jobs.map((job) => queueJobOf(job, queue, state));
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
  // Between two states, or already forgotten: nothing that can be told about.
  return state === undefined ? undefined : queueJobOf(job, queue, state);
}

/**
 * Lets a failed job run again, with all its tries.
 * @returns false when it is not failed (any more), or not known
 */
export async function retryJob(queues: Queues, queue: QueueName, jobId: string): Promise<boolean> {
  const job: Job | undefined = await queues.queue(queue).getJob(jobId);
  if (job === undefined) return false;
  try {
    await job.retry(RETRIED_STATE, { resetAttemptsMade: true, resetAttemptsStarted: true });
    return true;
  } catch (error) {
    // Somebody else retried it first; what else can go wrong is a queue that is away.
    if (await job.isFailed()) throw error;
    return false;
  }
}

function queueJobOf(job: Job, queue: QueueName, state: QueueJobState): QueueJob {
  const failed = state === RETRIED_STATE;
  return {
    jobId: job.id ?? '',
    queue,
    type: job.name,
    state,
    attempts: job.attemptsMade,
    failedReason: failed ? job.failedReason : null,
    createdAt: new Date(job.timestamp),
    failedAt: failed && job.finishedOn !== undefined ? new Date(job.finishedOn) : null,
  };
}
