import { findJobs, type QueueJob, type QueueJobState } from '@fiado/chassis/jobs/queue-jobs';
import { SERVICES } from '@fiado/contracts/process-names';
import type { QueueName } from '@fiado/contracts/define-job';
import { CANARY } from '@fiado/chassis/jobs/queues';
import type { Context } from '../context';

/** Where a page begins: a queue, and how many of its jobs to skip. */
export interface JobsCursor {
  queue: QueueName;
  passed: number;
}

export interface ListJobs {
  /** One queue; without it all of them, one after the other. */
  queue?: QueueName | undefined;
  state: QueueJobState;
  cursor?: JobsCursor | undefined;
  limit: number;
}

/**
 * A page of the jobs of any service, because ops sees the queues of all services. Queues change
 * meanwhile: a job that ends between two pages shifts the next page.
 */
export async function listJobs(
  { queues }: Pick<Context, 'queues'>,
  { queue, state, cursor, limit }: ListJobs,
): Promise<{ jobs: QueueJob[]; next: JobsCursor | null }> {
  const names = queue === undefined ? SERVICES : [queue];
  const first = cursor === undefined ? 0 : Math.max(names.indexOf(cursor.queue), 0);

  const jobs: QueueJob[] = [];
  let room = limit;
  for (const name of names.slice(first)) {
    const start = name === cursor?.queue ? cursor.passed : 0;
    // One row more than a page shows whether another page follows.
    const found = await findJobs(queues, { queue: name, state, start, count: room + 1 });
    // Canaries are the queues' own, and come and go; a page may be shorter by them.
    jobs.push(...found.slice(0, room).filter(({ type }) => type !== CANARY));
    if (found.length > room) return { jobs, next: { queue: name, passed: start + room } };
    room -= found.length;
  }
  return { jobs, next: null };
}
