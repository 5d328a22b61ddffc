import type { QueueName } from '@fiado/shared/chassis/jobs/define-job';
import {
  findJob,
  retryJob as retryQueueJob,
  type QueueJob,
} from '@fiado/shared/chassis/jobs/queue-jobs';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';

/**
 * Gives a dead letter of any service all its tries again. Its sender's sweeper sees it alive.
 * @throws AppError JOB_NOT_FOUND, JOB_IS_NOT_FAILED
 */
export async function retryJob(
  { queues, log }: Pick<Context, 'queues' | 'log'>,
  { queue, jobId }: { queue: QueueName; jobId: string },
): Promise<QueueJob> {
  const before = await findJob(queues, queue, jobId);
  if (before === undefined) throw new AppError('JOB_NOT_FOUND');
  if (!(await retryQueueJob(queues, queue, jobId))) throw new AppError('JOB_IS_NOT_FAILED');

  log.info({ jobId, queue, jobType: before.type }, 'a dead letter is tried again');
  const after = await findJob(queues, queue, jobId);
  return after ?? { ...before, state: 'waiting', attempts: 0, failedReason: null, failedAt: null };
}
