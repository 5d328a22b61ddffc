import { IsIn, IsOptional, Matches } from '@fiado/contracts/class-validator';
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
import { deadRowsCall } from '@fiado/contracts/dead-letters';
import type { QueueName } from '@fiado/contracts/define';
import { SERVICES } from '@fiado/contracts/process-names';
import type { Context } from '../context';

/** A job as ops sees it. */
export const jobAnswer = t.object('Job', {
  jobId: fields.jobId,
  queue: t.field(t.oneOf(SERVICES), 'Queue of the job'),
  type: t.field(t.text, 'Type of the job', 'transaction.delivered'),
  state: t.field(t.oneOf(JOB_STATES), 'State of the job'),
  attempts: fields.attempts,
  failedReason: t.textOrNull(
    'Why the job failed. The error of the last attempt, also while the job will be retried',
    'connect ECONNREFUSED',
  ),
  createdAt: fields.createdAt,
  failedAt: t.timeOrNull('Time at which it failed', '2026-11-22T16:05:01.000Z'),
});

export const exampleJob: t.ExampleOf<typeof jobAnswer> = {
  queue: 'payments',
  failedReason: null,
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

  /** `nextCursor` of the previous page: a queue, and the position in its list or in that of its rows. */
  @About('`nextCursor` of the previous page; absent for the first page', 'notifier-100')
  @IsOptional()
  @Matches(new RegExp(`^(${SERVICES.join('|')})(-rows)?-\\d{1,9}$`), {
    message: 'cursor must be the nextCursor of a page',
  })
  cursor?: string;

  @IsIntegerText(1, MAX_LIMIT)
  limit = DEFAULT_LIMIT;
}

/** A service whose rows could not be read does not hide the others' jobs. */
const missing = t.list(
  t.oneOf(SERVICES),
  'Services that did not answer: failed jobs that are rows of theirs, and in no queue, are not listed',
);

export const listJobsEndpoint = endpoint({
  id: 'listJobs',
  as: 'jobs.list',
  columns: ['jobId', 'queue', 'type', 'state', 'attempts', 'failedReason', 'createdAt', 'failedAt'],
  tag: 'Ops: operation',
  route: 'GET /v1/admin/jobs',
  scope: 'viewer',
  summary: 'List jobs in the queues',
  description:
    'Of a service, first the jobs in its queue, then its failed jobs that are rows of its own, such as ' +
    '`apply-deposit`, whose `jobId` is the deposit’s id.',
  query: ListJobsQuery,
  answer: t.page('JobPage', { jobs: t.list(jobAnswer, 'Jobs'), missing }, t.text),
  example: { jobs: [exampleJob], missing: [], nextCursor: null },
  input: ({ query: { queue, state, cursor, limit } }) => ({
    queue,
    state,
    cursor: cursorOf(cursor),
    limit,
  }),
  // Lists change meanwhile: a job that ends between two pages shifts the next page.
  handle: async (context: Context, { queue, state, cursor, limit }) => {
    const lists = listsOf(context, queue, state);
    const first = lists.findIndex((one) => one.queue === cursor?.queue && one.of === cursor.of);
    const jobs: QueueJob[] = [];
    const unread: QueueName[] = [];
    let room = limit;
    for (const [at, list] of lists.slice(Math.max(first, 0)).entries()) {
      const start = at === 0 && first >= 0 ? (cursor?.passed ?? 0) : 0;
      const found = await findIn(context, list, { state, start, count: room });
      if (found === undefined) {
        unread.push(list.queue);
        continue;
      }
      // Canaries are the queues' own, and come and go; a page may be shorter by them.
      jobs.push(...found.jobs.filter(({ type }) => type !== CANARY));
      if (found.next !== null) return { jobs, unread, next: { ...list, passed: found.next } };
      room -= found.jobs.length;
    }
    return { jobs, unread, next: null };
  },
  present: ({ jobs, unread, next }) => ({
    jobs: jobs.map(presentJob),
    missing: unread,
    nextCursor: next === null ? null : textOf(next),
  }),
});

/** A list of jobs: those in a queue, or the rows of its service. */
interface List {
  queue: QueueName;
  of: 'queue' | 'rows';
}

/** Rows are jobs in one state only: a row that waits is shown as what it is, such as a deposit. */
function listsOf(
  { senders }: Pick<Context, 'senders'>,
  queue: QueueName | undefined,
  state: QueueJobState,
): List[] {
  return (queue === undefined ? SERVICES : [queue]).flatMap((name): List[] => {
    const hasRows = state === 'failed' && senders.some((sender) => sender.name === name);
    const inQueue: List = { queue: name, of: 'queue' };
    return hasRows ? [inQueue, { queue: name, of: 'rows' }] : [inQueue];
  });
}

/** @returns undefined when the service of the rows does not answer */
async function findIn(
  { queues, senders, log }: Context,
  { queue, of }: List,
  range: { state: QueueJobState; start: number; count: number },
): Promise<{ jobs: QueueJob[]; next: number | null } | undefined> {
  if (of === 'queue') return findJobs(queues, { queue, ...range });
  const { start, count } = range;
  try {
    const service = senders.find(({ name }) => name === queue);
    // One more than a page shows whether another page follows.
    const question = { start, count: count + 1 };
    const { rows = [] } = (await service?.ask(deadRowsCall, question)) ?? {};
    const jobs = rows.slice(0, count).map((row): QueueJob => ({
      ...row,
      queue,
      state: 'failed',
      createdAt: new Date(row.createdAt),
      failedAt: new Date(row.failedAt),
    }));
    return { jobs, next: rows.length > count ? start + count : null };
  } catch (error) {
    log.warn({ err: error, queue }, 'dead letters of a service could not be read');
    return undefined;
  }
}

interface Cursor extends List {
  passed: number;
}

/** Where a page begins: a list, and the position in it. */
function cursorOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const [queue, ...rest] = text.split('-');
  return {
    queue: queue as QueueName,
    of: rest.length > 1 ? 'rows' : 'queue',
    passed: Number(rest.at(-1)),
  };
}

function textOf({ queue, of, passed }: Cursor): string {
  return of === 'rows' ? `${queue}-rows-${passed}` : `${queue}-${passed}`;
}

export function presentJob(job: QueueJob): t.AnswerOf<typeof jobAnswer> {
  return t.presentRow(jobAnswer, job, {});
}
