import { IsIn, IsOptional, Matches } from 'class-validator';
import { IsIntegerText } from '@fiado/contracts/decorators';
import { endpoint } from '@fiado/chassis/http/endpoint';
import type { QueueName } from '@fiado/contracts/define-job';
import { JOB_STATES, type QueueJobState } from '@fiado/chassis/jobs/queue-jobs';
import { SERVICES } from '@fiado/contracts/process-names';
import * as t from '@fiado/chassis/openapi/json-schema';
import { listJobs, type JobsCursor } from '../use-cases/list-jobs';
import { exampleJob, jobAnswer, presentJob } from './job-answer';

const DEFAULT_LIMIT = 50;
/** Each job of a page is read by itself. */
const MAX_LIMIT = 100;

class ListJobsQuery {
  @IsOptional()
  @IsIn(SERVICES)
  queue?: QueueName;

  @IsIn(JOB_STATES)
  state: QueueJobState = 'failed';

  /** `nextCursor` of the previous page: a queue and the number of its jobs on the pages so far. */
  @IsOptional()
  @Matches(new RegExp(`^(${SERVICES.join('|')})-\\d{1,9}$`), {
    message: 'cursor must be the nextCursor of a page',
  })
  cursor?: string;

  @IsIntegerText(1, MAX_LIMIT)
  limit = DEFAULT_LIMIT;
}

export const listJobsEndpoint = endpoint({
  id: 'listJobs',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/jobs',
  scope: 'viewer',
  summary: 'List jobs in the queues',
  query: ListJobsQuery,
  answer: t.page('JobPage', { jobs: t.listOf(jobAnswer) }, t.text),
  example: { jobs: [exampleJob], nextCursor: null },
  input: ({ query: { queue, state, cursor, limit } }) => ({
    queue,
    state,
    cursor: cursorOf(cursor),
    limit,
  }),
  handle: listJobs,
  present: ({ jobs, next }) => ({
    jobs: jobs.map(presentJob),
    nextCursor: next === null ? null : `${next.queue}-${next.passed}`,
  }),
});

function cursorOf(cursor: string | undefined): JobsCursor | undefined {
  const [queue, passed] = cursor?.split('-') ?? [];
  return queue === undefined ? undefined : { queue: queue as QueueName, passed: Number(passed) };
}
