import { IsIn, IsOptional, Matches } from 'class-validator';
import { endpoint } from '@fiado/chassis/http/endpoint';
import {
  findJobs,
  JOB_STATES,
  type QueueJob,
  type QueueJobState,
} from '@fiado/chassis/jobs/queue-jobs';
import { CANARY } from '@fiado/chassis/jobs/queues';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsIntegerText } from '@fiado/contracts/decorators';
import type { QueueName } from '@fiado/contracts/define';
import { SERVICES } from '@fiado/contracts/process-names';
import type { Context } from '../context';

/** A job as ops sees it. */
export const jobAnswer = t.object('Job', {
  jobId: fields.jobId,
  queue: t.field(t.oneOf(SERVICES), 'Queue of the job'),
  type: t.field(t.text, 'Type of the job', 'PaymentEvent.applied'),
  state: t.field(t.oneOf(JOB_STATES), 'State of the job'),
  attempts: fields.attempts,
  failedReason: t.field(
    t.nullable(t.text),
    'Why the job failed. The error of the last attempt, also while the job will be retried',
    'connect ECONNREFUSED',
  ),
  createdAt: fields.createdAt,
  failedAt: t.field(t.nullable(t.timestamp), 'Time at which it failed', '2026-11-22T16:05:01.000Z'),
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

const DEFAULT_LIMIT = 50;
/** Each job of a page is read by itself. */
const MAX_LIMIT = 100;

class ListJobsQuery {
  @About('Only jobs of this queue')
  @IsOptional()
  @IsIn(SERVICES)
  queue?: QueueName;

  @About('Only jobs in this state')
  @IsIn(JOB_STATES)
  state: QueueJobState = 'failed';

  /** `nextCursor` of the previous page: a queue and the position in its list. */
  @About('`nextCursor` of the previous page; absent for the first page', 'notifier-100')
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
  answer: t.page('JobPage', { jobs: t.field(t.listOf(jobAnswer), 'Jobs') }, t.text),
  example: { jobs: [exampleJob], nextCursor: null },
  input: ({ query: { queue, state, cursor, limit } }) => ({
    queue,
    state,
    cursor: cursorOf(cursor),
    limit,
  }),
  // Queues change meanwhile: a job that ends between two pages shifts the next page.
  handle: async ({ queues }: Context, { queue, state, cursor, limit }) => {
    const names = queue === undefined ? SERVICES : [queue];
    const first = cursor === undefined ? 0 : Math.max(names.indexOf(cursor.queue), 0);
    const jobs: QueueJob[] = [];
    let room = limit;
    for (const name of names.slice(first)) {
      const start = name === cursor?.queue ? cursor.passed : 0;
      const found = await findJobs(queues, { queue: name, state, start, count: room });
      // Canaries are the queues' own, and come and go; a page may be shorter by them.
      jobs.push(...found.jobs.filter(({ type }) => type !== CANARY));
      if (found.next !== null) return { jobs, next: { queue: name, passed: found.next } };
      room -= found.jobs.length;
    }
    return { jobs, next: null };
  },
  present: ({ jobs, next }) => ({
    jobs: jobs.map(presentJob),
    nextCursor: next === null ? null : `${next.queue}-${next.passed}`,
  }),
});

/** Where a page begins: a queue, and the position in its list. */
function cursorOf(cursor: string | undefined): { queue: QueueName; passed: number } | undefined {
  const [queue, passed] = cursor?.split('-') ?? [];
  return queue === undefined ? undefined : { queue: queue as QueueName, passed: Number(passed) };
}

export function presentJob(job: QueueJob): t.AnswerOf<typeof jobAnswer> {
  return t.presentRow(jobAnswer, job, {});
}
