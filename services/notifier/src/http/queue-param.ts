import type { Request } from 'express';
import { textParam } from '@fiado/shared/chassis/http/params';
import type { QueueName } from '@fiado/shared/chassis/jobs/define-job';
import { QUEUE_NAMES } from '@fiado/shared/chassis/jobs/queue-jobs';
import { AppError } from '@fiado/shared/contracts/errors';

/** The queue that a path names. @throws AppError JOB_NOT_FOUND when there is no such queue */
export function queueParam(req: Request): QueueName {
  const name = textParam(req, 'queue');
  const queue = QUEUE_NAMES.find((one) => one === name);
  if (queue === undefined) throw new AppError('JOB_NOT_FOUND');
  return queue;
}
