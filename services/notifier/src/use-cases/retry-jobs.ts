import type { QueueName } from '@fiado/contracts/define-job';
import { retryFailedJobs } from '@fiado/chassis/jobs/queue-jobs';
import type { Context } from '../context';
import { retryForgotten } from '../steps/retry-forgotten';

/**
 * Retries the dead letters of a queue with all their attempts: first those in the queue, then those
 * that only the outboxes of their senders still have.
 * @param type only jobs of this type
 * @returns how many; there may be more when it is at least MAX_RETRIED
 * @throws AppError SERVICE_UNAVAILABLE when a service cannot be asked; the others have been
 */
export async function retryJobs(
  { queues, senders, log }: Pick<Context, 'queues' | 'senders' | 'log'>,
  { queue, type }: { queue: QueueName; type?: string | undefined },
): Promise<number> {
  const fromQueue = await retryFailedJobs(queues, queue, type);
  const which = { queue, ...(type === undefined ? {} : { type }) };
  const forgotten = await retryForgotten(senders, which);
  const retried = fromQueue + forgotten.length;
  if (retried > 0) log.info({ queue, jobType: type, retried }, 'dead letters will be retried');
  return retried;
}
