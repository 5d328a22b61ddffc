import { IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { RequestHandler } from 'express';
import { validInstance } from '@fiado/shared/chassis/http/validation';
import type { Context } from '../context';
import { retryJobs } from '../use-cases/retry-jobs';
import { queueParam } from './queue-param';

/** Longer than the type of any job. */
const MAX_TYPE_LENGTH = 100;

/** Body of POST /v1/admin/jobs/{queue}/retry. */
export class RetryJobsBody {
  /** Only jobs of this type, such as `payment.applied`. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_TYPE_LENGTH)
  type?: string | null;
}

/** POST /v1/admin/jobs/{queue}/retry: the dead letters of a queue run again. */
export function handleRetryJobs(context: Context): RequestHandler {
  return async (req, res) => {
    const { type } = validInstance(RetryJobsBody, req.body ?? {}, 'refuse');
    const queue = queueParam(req);
    res.json({ retried: await retryJobs(context, { queue, type: type ?? undefined }) });
  };
}
