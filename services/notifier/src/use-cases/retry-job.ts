import { isUUID } from 'class-validator';
import type { QueueName } from '@fiado/contracts/define-job';
import { findJob, retryJob as retryQueueJob, type QueueJob } from '@fiado/chassis/jobs/queue-jobs';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { retryForgotten } from '../steps/retry-forgotten';

/**
 * Retries a dead letter of any service with all its attempts, even if only its sender's outbox
 * still has it. Its id stays the same.
 * @throws AppError JOB_NOT_FOUND, JOB_IS_NOT_FAILED, SERVICE_UNAVAILABLE when a sender cannot be
 * asked for a job that the queue does not know
 */
export async function retryJob(
  context: Pick<Context, 'queues' | 'senders' | 'log'>,
  { queue, jobId }: { queue: QueueName; jobId: string },
): Promise<QueueJob> {
  const { queues, log } = context;
  const before = await findJob(queues, queue, jobId);
  if (before === undefined) return retryForgottenJob(context, { queue, jobId });
  if (!(await retryQueueJob(queues, queue, jobId))) throw new AppError('JOB_IS_NOT_FAILED');

  log.info({ jobId, queue, jobType: before.type }, 'dead letter will be retried');
  const after = await findJob(queues, queue, jobId);
  return after ?? { ...before, state: 'waiting', attempts: 0, failedReason: null, failedAt: null };
}

async function retryForgottenJob(
  { senders, log }: Pick<Context, 'senders' | 'log'>,
  { queue, jobId }: { queue: QueueName; jobId: string },
): Promise<QueueJob> {
  // The id of a job is its outbox row's; nothing else can be in an outbox.
  if (!isUUID(jobId)) throw new AppError('JOB_NOT_FOUND');
  const [job] = await retryForgotten(senders, { queue, jobId });
  if (job === undefined) throw new AppError('JOB_NOT_FOUND');
  log.info({ jobId, queue, jobType: job.type }, 'dead letter relayed again');
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
