import { IsOptional } from 'class-validator';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { retryJobs } from '../use-cases/retry-jobs';
import { queueOf } from './job-answer';

/** Longer than the type of any job. */
const MAX_TYPE_LENGTH = 100;

class RetryJobsBody {
  /** Only jobs of this type, such as `payment.applied`. */
  @IsOptional()
  @IsNonEmptyText(MAX_TYPE_LENGTH)
  type?: string;
}

export const retryJobsEndpoint = endpoint({
  id: 'retryJobs',
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
  answer: t.object('RetriedJobs', { retried: t.count }),
  example: { retried: 3 },
  input: ({ body: { type }, text }) => ({ type, queue: queueOf(text('queue')) }),
  handle: retryJobs,
  present: (retried) => ({ retried }),
});
