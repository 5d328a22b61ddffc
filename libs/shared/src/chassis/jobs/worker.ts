import { UnrecoverableError, WaitingError, type Job } from 'bullmq';
import { AppError, ValidationError } from '../../contracts/errors';
import type { DatabaseWatch } from '../database-watch';
import { isDatabaseUnavailable } from '../db/unavailable';
import { validInstance } from '../http/validation';
import type { Logger } from '../logger';
import { announceJob, countJob } from '../queue-metrics';
import { withJobId } from '../request-context';
import type { Envelope, JobDefinition, QueueName } from './define-job';
import { CANARY, type BullWorker, type Queues } from './queues';
import type { WorkerGate } from './worker-gate';
import type { WorkerPulse } from './worker-pulse';

/** A worker's row for one type of job: what is agreed on it, and what this service does. */
export interface JobRoute {
  definition: JobDefinition<object>;
  handle: (envelope: Envelope) => Promise<void>;
}

/** Ties a definition to its handler, whose `data` then has the definition's class. */
export function on<Data extends object>(
  definition: JobDefinition<Data>,
  handle: (envelope: Envelope<Data>) => Promise<void>,
): JobRoute {
  return {
    definition,
    handle: (envelope) =>
      handle({ ...envelope, data: validInstance(definition.Data, envelope.data, 'ignore') }),
  };
}

export interface WorkerOptions {
  queues: Queues;
  queue: QueueName;
  routes: JobRoute[];
  pulse: WorkerPulse;
  gate: WorkerGate;
  database: Pick<DatabaseWatch, 'reportLost' | 'untilBack'>;
  log: Logger;
}

/**
 * The one failure policy of all workers: what can heal is tried again by the queue (a lost
 * answer, a lock, a neighbour that is down); what cannot, fails for good and is seen by ops. A job
 * that could not reach the database goes back as if nobody had taken it: that is never a try.
 */
export function createWorker({
  queues,
  queue,
  routes,
  pulse,
  gate,
  database,
  log,
}: WorkerOptions): BullWorker {
  const byType = new Map(routes.map((route) => [route.definition.type, route]));
  for (const type of byType.keys()) announceJob(queue, type);

  // Its fields are all named below, as in the line of a request: there is no secret to look for.
  const doneLog = log.child({}, { redact: [] });

  async function work(job: Job<Envelope>, token: string | undefined): Promise<void> {
    const startedAt = performance.now();
    const route = byType.get(job.name);
    // A newer producer's job may be known to the next deploy's worker: leave it to the retries.
    if (route === undefined) throw new Error(`No handler for jobs of type ${job.name}`);
    try {
      await route.handle(job.data);
      countJob(queue, job.name, 'done');
      doneLog.info(
        { jobType: job.name, ms: Math.round(performance.now() - startedAt) },
        'job done',
      );
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        countJob(queue, job.name, 'put-back');
        log.warn(
          { err: error, jobType: job.name },
          'a job is put back until the database is there',
        );
        await database.reportLost(error);
        return putBack(job, token);
      }
      const failure = asFailure(error, job, log);
      countJob(queue, job.name, failure.lastTry ? 'failed' : 'retried');
      throw failure.error;
    }
  }

  /** Gives a job back to the queue without counting a try. */
  async function putBack(job: Job<Envelope>, token: string | undefined): Promise<never> {
    try {
      await job.moveToWait(token);
    } catch {
      // The queue may live in the database that is away. Put back late, the job's lock may be lost:
      // then the queue has given the job to another worker, or finds it stalled and puts it back.
      await database.untilBack();
      await job.moveToWait(token).catch((error: unknown) => {
        log.warn({ err: error, jobType: job.name }, 'the queue did not take a job back');
      });
    }
    throw new WaitingError();
  }

  return queues.worker(queue, async (job: Job<Envelope>, token) => {
    // A worker that was asking when it was paused gets one more job.
    if (gate.isShut) return putBack(job, token);
    pulse.began();
    try {
      if (job.name !== CANARY) await withJobId(job.data, () => work(job, token));
    } finally {
      pulse.ended();
    }
  });
}

function asFailure(error: unknown, job: Job, log: Logger): { error: unknown; lastTry: boolean } {
  const final =
    error instanceof ValidationError ||
    (error instanceof AppError && error.kind !== 'unavailable' && error.kind !== 'unexpected');
  const lastTry = final || job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
  log[lastTry ? 'error' : 'warn'](
    { err: error, jobType: job.name, attempt: job.attemptsMade + 1 },
    lastTry ? 'a job failed for good' : 'a job failed and is tried again',
  );
  if (!final) return { error, lastTry };
  const problems = error instanceof ValidationError ? `: ${error.problems.join('; ')}` : '';
  return { error: new UnrecoverableError(`${error.message}${problems}`), lastTry };
}
