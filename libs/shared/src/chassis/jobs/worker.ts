import { UnrecoverableError, WaitingError, type Job } from 'bullmq';
import { AppError, ValidationError } from '../../contracts/errors';
import { validInstance } from '../http/validation';
import type { ClockWatch } from '../clock-watch';
import type { Logger } from '../logger';
import { announceJob, countJob } from '../queue-metrics';
import { withJobId } from '../request-context';
import type { Envelope, JobDefinition, QueueName } from './define-job';
import { CANARY, type BullWorker, type Queues } from './queues';
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
  clock: Pick<ClockWatch, 'isWrong'>;
  log: Logger;
}

/**
 * The one failure policy of all workers: what can heal is tried again by the queue (a lost
 * connection, a lock, a neighbour that is down); what cannot, fails for good and is seen by ops.
 */
export function createWorker({
  queues,
  queue,
  routes,
  pulse,
  clock,
  log,
}: WorkerOptions): BullWorker {
  const byType = new Map(routes.map((route) => [route.definition.type, route]));
  for (const type of byType.keys()) announceJob(queue, type);

  // Its fields are all named below, as in the line of a request: there is no secret to look for.
  const doneLog = log.child({}, { redact: [] });

  async function work(job: Job<Envelope>): Promise<void> {
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
      const failure = asFailure(error, job, log);
      countJob(queue, job.name, failure.lastTry ? 'failed' : 'retried');
      throw failure.error;
    }
  }

  return queues.worker(queue, async (job: Job<Envelope>, token) => {
    if (clock.isWrong) {
      // A worker that was asking when it was paused gets one more job: that is another's to do.
      await job.moveToWait(token);
      throw new WaitingError();
    }
    pulse.began();
    try {
      if (job.name !== CANARY) await withJobId(job.data, () => work(job));
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
