import type { QueueName } from '@fiado/contracts/define-job';
import { JOB_STATES, type QueueJob } from '@fiado/chassis/jobs/queue-jobs';
import { SERVICES } from '@fiado/contracts/process-names';
import { AppError } from '@fiado/contracts/errors';
import * as t from '@fiado/chassis/openapi/json-schema';

/** A job as ops sees it. */
export const jobAnswer = t.object('Job', {
  jobId: t.text,
  queue: t.oneOf(SERVICES),
  type: t.text,
  state: t.oneOf(JOB_STATES),
  attempts: t.count,
  failedReason: {
    ...t.nullable(t.text),
    description: 'The error of the last attempt, also while the job will be retried',
  },
  createdAt: t.timestamp,
  failedAt: t.nullable(t.timestamp),
});

export const exampleJob: t.AnswerOf<typeof jobAnswer> = {
  jobId: 'e5d4c3b2-a190-4f8e-9d7c-6b5a49382716',
  queue: 'payments',
  type: 'transaction.delivered',
  state: 'failed',
  attempts: 1,
  failedReason: null,
  createdAt: '2026-09-21T16:04:05.678Z',
  failedAt: null,
};

export function presentJob(job: QueueJob): t.AnswerOf<typeof jobAnswer> {
  return {
    jobId: job.jobId,
    queue: job.queue,
    type: job.type,
    state: job.state,
    attempts: job.attempts,
    failedReason: job.failedReason,
    createdAt: job.createdAt.toISOString(),
    failedAt: job.failedAt?.toISOString() ?? null,
  };
}

/** The queue that a path names. @throws AppError JOB_NOT_FOUND when there is no such queue */
export function queueOf(name: string): QueueName {
  const queue = SERVICES.find((one) => one === name);
  if (queue === undefined) throw new AppError('JOB_NOT_FOUND');
  return queue;
}
