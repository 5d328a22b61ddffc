import type { QueueJob } from '@fiado/shared/chassis/jobs/queue-jobs';

/** A job as ops sees it. */
export function presentJob(job: QueueJob) {
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
