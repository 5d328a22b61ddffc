import { IsOptional, isUUID } from '@fiado/contracts/class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import {
  findJob,
  MAX_RETRIED,
  retryFailedJobs,
  retryJob as retryQueueJob,
  type QueueJob,
} from '@fiado/chassis/jobs/queue-jobs';
import * as t from '@fiado/chassis/openapi/json-schema';
import { retryDeadLetters } from '@fiado/chassis/outbox/dead-letters';
import { audit } from '@fiado/chassis/outbox/append';
import { About } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import {
  retryDeadLettersCall,
  type RetriedDeadLetter,
  type RetriedDeadLetters,
  type RetryDeadLetters,
} from '@fiado/contracts/dead-letters';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import type { QueueName } from '@fiado/contracts/define';
import { AppError } from '@fiado/contracts/errors';
import { SERVICES } from '@fiado/contracts/process-names';
import type { Context } from '../context';
import { exampleJob, jobAnswer, presentJob } from './list-jobs';

export const retryJobEndpoint = endpoint({
  id: 'retryJob',
  as: 'jobs.retry',
  once: true,
  tag: 'Ops: operation',
  route: 'POST /v1/admin/jobs/:queue/:jobId/retry',
  scope: 'operator',
  summary: 'Retry a failed job',
  errors: ['JOB_NOT_FOUND', 'JOB_IS_NOT_FAILED'],
  answer: jobAnswer,
  example: { ...exampleJob, state: 'waiting' },
  input: ({ text, caller: by }) => ({ queue: queueOf(text('queue')), jobId: text('jobId'), by }),
  handle: retryJob,
  present: presentJob,
});

/** Longer than the type of any job. */
const MAX_TYPE_LENGTH = 100;

class RetryJobsBody {
  @About('Only jobs of this type', 'payment.applied')
  @IsOptional()
  @IsNonEmptyText(MAX_TYPE_LENGTH)
  type?: string;
}

export const retryJobsEndpoint = endpoint({
  id: 'retryJobs',
  as: 'jobs.retryAll',
  once: true,
  tag: 'Ops: operation',
  route: 'POST /v1/admin/jobs/:queue/retry',
  scope: 'operator',
  summary: 'Retry the failed jobs of a queue',
  description:
    'Retries the oldest 1,000 jobs, so repeat the call while `retried` is that many. Includes jobs ' +
    'of the last 28 days that the queue no longer has; they keep their `jobId`.',
  body: RetryJobsBody,
  bodyExample: { type: 'payment.applied' },
  bodyOptional: true,
  errors: ['JOB_NOT_FOUND'],
  answer: t.object('RetriedJobs', {
    retried: t.field(t.count, 'Number of jobs that are tried again', 3),
  }),
  input: ({ body: { type }, text, caller: by }) => ({ type, queue: queueOf(text('queue')), by }),
  // First those in the queue, then those that only the outboxes of their senders still have.
  handle: async (context: Context, { queue, type, by }) => {
    const { queues, log } = context;
    const fromQueue = await retryFailedJobs(queues, queue, type);
    const which = { queue, ...(type === undefined ? {} : { type }) };
    const forgotten = await retryForgotten(context, which);
    const retried = fromQueue + forgotten.length;
    if (retried > 0) {
      log.info({ queue, jobType: type, retried }, 'dead letters will be retried');
      await auditRetry(context, by, { queue, jobType: type, retried });
    }
    return retried;
  },
  present: (retried) => ({ retried }),
});

/**
 * Retries a dead letter of any service with all its attempts, even if only its sender's outbox
 * still has it. Its id stays the same.
 * @throws AppError JOB_NOT_FOUND, JOB_IS_NOT_FAILED, SERVICE_UNAVAILABLE when a sender cannot be
 * asked for a job that the queue does not know
 */
async function retryJob(
  context: Context,
  { queue, jobId, by }: { queue: QueueName; jobId: string; by: Caller },
): Promise<QueueJob> {
  const { queues, log } = context;
  const before = await findJob(queues, queue, jobId);
  if (before === undefined) {
    const forgotten = await retryForgottenJob(context, { queue, jobId });
    await auditRetry(context, by, { queue, jobType: forgotten.type, jobId });
    return forgotten;
  }
  if (!(await retryQueueJob(queues, queue, jobId))) throw new AppError('JOB_IS_NOT_FAILED');

  log.info({ jobId, queue, jobType: before.type }, 'dead letter will be retried');
  await auditRetry(context, by, { queue, jobType: before.type, jobId });
  const after = await findJob(queues, queue, jobId);
  return after ?? { ...before, state: 'waiting', attempts: 0, failedReason: null, failedAt: null };
}

/** Jobs are retried in queues, and by other services: the entry has no database transaction to be in. */
function auditRetry({ db }: Context, by: Caller, details: object): Promise<void> {
  return audit(db, by, { action: 'jobs.retried', details });
}

async function retryForgottenJob(
  context: Context,
  { queue, jobId }: { queue: QueueName; jobId: string },
): Promise<QueueJob> {
  // The id of a job is its outbox row's; nothing else can be in an outbox.
  if (!isUUID(jobId)) throw new AppError('JOB_NOT_FOUND');
  const [job] = await retryForgotten(context, { queue, jobId });
  if (job === undefined) throw new AppError('JOB_NOT_FOUND');
  context.log.info({ jobId, queue, jobType: job.type }, 'dead letter relayed again');
  return {
    jobId,
    queue,
    type: job.type,
    state: 'waiting',
    attempts: 0,
    failedReason: null,
    createdAt: new Date(job.createdAt),
    failedAt: null,
  };
}

type Which = Pick<RetryDeadLetters, 'queue' | 'jobId' | 'type'>;

/**
 * Has every service relay its dead letters again that their queue has forgotten, the notifier its own: one
 * service may not read another's outbox. At least one page of each, and not many more
 * than MAX_RETRIED in all.
 * @throws AppError SERVICE_UNAVAILABLE when a service cannot be asked; the others have been
 */
async function retryForgotten(context: Context, which: Which): Promise<RetriedDeadLetter[]> {
  const own: Ask = (question) => retryDeadLetters(context, question);
  const others = context.senders.map(
    (sender): Ask =>
      (question) =>
        sender.ask(retryDeadLettersCall, question),
  );
  const answers = await Promise.allSettled([own, ...others].map((ask) => askAll(ask, which)));
  context.relay.wake();
  const retried = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failure = answers.find((answer) => answer.status === 'rejected');
  // A single job that was found needs no further answer.
  if (failure !== undefined && (which.jobId === undefined || retried.length === 0)) {
    throw failure.reason;
  }
  return retried;
}

type Ask = (question: RetryDeadLetters) => Promise<RetriedDeadLetters>;

async function askAll(ask: Ask, which: Which): Promise<RetriedDeadLetter[]> {
  const retried: RetriedDeadLetter[] = [];
  let after: string | null = null;
  do {
    const answer: RetriedDeadLetters = await ask(after === null ? which : { ...which, after });
    retried.push(...answer.retried);
    after = answer.next;
  } while (after !== null && retried.length < MAX_RETRIED);
  return retried;
}

/** The queue that a path names. @throws AppError JOB_NOT_FOUND when there is no such queue */
function queueOf(name: string): QueueName {
  const queue = SERVICES.find((one) => one === name);
  if (queue === undefined) throw new AppError('JOB_NOT_FOUND');
  return queue;
}
