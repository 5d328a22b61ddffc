import type { RequestHandler } from 'express';
import { textParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { retryJob } from '../use-cases/retry-job';
import { presentJob } from './present-job';
import { queueParam } from './queue-param';

/** POST /v1/admin/jobs/{queue}/{jobId}/retry: a dead letter runs again. */
export function handleRetryJob(context: Context): RequestHandler {
  return async (req, res) => {
    const queue = queueParam(req);
    res.json(presentJob(await retryJob(context, { queue, jobId: textParam(req, 'jobId') })));
  };
}
