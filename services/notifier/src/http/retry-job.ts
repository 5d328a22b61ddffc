import type { RequestHandler } from 'express';
import { textParam } from '@fiado/shared/chassis/http/params';
import { QUEUE_NAMES } from '@fiado/shared/chassis/jobs/queue-jobs';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { retryJob } from '../use-cases/retry-job';
import { presentJob } from './present-job';

/** POST /v1/admin/jobs/{queue}/{jobId}/retry: a dead letter runs again. */
export function handleRetryJob(context: Context): RequestHandler {
  return async (req, res) => {
    const name = textParam(req, 'queue');
    const queue = QUEUE_NAMES.find((one) => one === name);
    if (queue === undefined) throw new AppError('JOB_NOT_FOUND');
    res.json(presentJob(await retryJob(context, { queue, jobId: textParam(req, 'jobId') })));
  };
}
