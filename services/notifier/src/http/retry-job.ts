import { endpoint } from '@fiado/chassis/http/endpoint';
import { retryJob } from '../use-cases/retry-job';
import { exampleJob, jobAnswer, presentJob, queueOf } from './job-answer';

export const retryJobEndpoint = endpoint({
  id: 'retryJob',
  tag: 'Ops: operation',
  route: 'POST /v1/admin/jobs/:queue/:jobId/retry',
  scope: 'operator',
  summary: 'Retry a failed job',
  errors: ['JOB_NOT_FOUND', 'JOB_IS_NOT_FAILED'],
  answer: jobAnswer,
  example: { ...exampleJob, state: 'waiting' },
  input: ({ text }) => ({ queue: queueOf(text('queue')), jobId: text('jobId') }),
  handle: retryJob,
  present: presentJob,
});
