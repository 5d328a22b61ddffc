import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import type { RequestHandler } from 'express';
import { ToNumber } from '@fiado/shared/chassis/config';
import { validQuery } from '@fiado/shared/chassis/http/body';
import type { QueueName } from '@fiado/shared/chassis/jobs/define-job';
import { JOB_STATES, QUEUE_NAMES, type QueueJobState } from '@fiado/shared/chassis/jobs/queue-jobs';
import type { Context } from '../context';
import { listJobs, type JobsCursor } from '../use-cases/list-jobs';
import { presentJob } from './present-job';

const DEFAULT_LIMIT = 50;
/** Each job of a page is read by itself. */
const MAX_LIMIT = 100;

/** Query of GET /v1/admin/jobs. */
export class ListJobsQuery {
  @IsOptional()
  @IsIn(QUEUE_NAMES)
  queue?: QueueName;

  @IsIn(JOB_STATES)
  state: QueueJobState = 'failed';

  /** `nextCursor` of the page before: a queue and how many of its jobs were told. */
  @IsOptional()
  @Matches(new RegExp(`^(${QUEUE_NAMES.join('|')})-\\d{1,9}$`), {
    message: 'cursor must be the nextCursor of a page',
  })
  cursor?: string;

  @ToNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  limit = DEFAULT_LIMIT;
}

/** GET /v1/admin/jobs: what waits, runs and failed, in any queue. */
export function handleListJobs(context: Context): RequestHandler {
  return async (req, res) => {
    const { queue, state, cursor, limit } = validQuery(ListJobsQuery, req);
    const page = await listJobs(context, { queue, state, cursor: cursorOf(cursor), limit });
    res.json({
      jobs: page.jobs.map(presentJob),
      nextCursor: page.next === null ? null : `${page.next.queue}-${page.next.passed}`,
    });
  };
}

function cursorOf(text: string | undefined): JobsCursor | undefined {
  const [queue, passed] = text?.split('-') ?? [];
  return queue === undefined ? undefined : { queue: queue as QueueName, passed: Number(passed) };
}
