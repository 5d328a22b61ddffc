import { type Job, UnrecoverableError, WaitingError } from 'bullmq';
import type { Envelope, JobDefinition, QueueName } from '@fiado/contracts/define';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import type { ProcessName } from '@fiado/contracts/process-names';
import { isDatabaseUnavailable } from '../db/query';
import type { Logger } from '../logger';
import type { ProcessKeys } from '../keys/process-keys';
import { announceJob, countJob } from './queue-metrics';
import { withJobId } from '../request-context';
import { validInstance } from '../validation';
import { CANARY, inJobSpan, type Queues } from './queues';
import type { BullWorker } from './backends';
import { openEnvelope, type SentJob, type SignedEnvelope } from './signed-envelope';
import type { DatabaseWatch, WorkerGate } from './worker-gate';
import type { WorkerPulse } from './worker-pulse';

/** A worker's entry for one type of job: its definition and its handler. */
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

type SignedJob = Job<SignedEnvelope>;
type Routes = Map<string, JobRoute>;

export interface WorkerOptions {
  queues: Queues;
  queue: QueueName;
  routes: JobRoute[];
  /** Keys to verify who signed a job. */
  keys: ProcessKeys;
  pulse: WorkerPulse;
  gate: WorkerGate;
  database: Pick<DatabaseWatch, 'reportLost' | 'untilBack'>;
  log: Logger;
}

/** Replaces the type of a job without a handler in metrics, because its sender chose the name. */
const UNKNOWN_TYPE = 'unknown';

/**
 * The failure policy of all workers. A job that none of its producers signed is refused and becomes
 * a dead letter at once. The queue retries temporary failures (a lost answer, a lock, an
 * unavailable service). Any other failure is final and visible to ops. A job that could not reach
 * the database returns to the queue without counting an attempt.
 */
export function createWorker(options: WorkerOptions): BullWorker {
  const { queues, queue, routes, pulse, gate, database, log } = options;
  const byType = new Map(routes.map((route) => [route.definition.type, route]));
  for (const type of [...byType.keys(), UNKNOWN_TYPE]) announceJob(queue, type);

  // All fields are known, as in the log line of a request, so the search for secrets is skipped.
  const doneLog = log.child({}, { redact: [] });

  async function work(
    job: SignedJob,
    envelope: Envelope,
    token: string | undefined,
  ): Promise<void> {
    const startedAt = performance.now();
    const { type: jobType } = envelope;
    const route = byType.get(jobType);
    // The job of a newer producer may be known to the worker of the next release: retry it.
    if (route === undefined) throw new Error(`No handler for jobs of type ${jobType}`);
    try {
      await route.handle(envelope);
      countJob(queue, jobType, 'done');
      doneLog.info({ jobType, ms: Math.round(performance.now() - startedAt) }, 'job done');
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        countJob(queue, jobType, 'put-back');
        log.warn(
          { err: error, jobType },
          'job returned to its queue until the database is available',
        );
        await database.reportLost(error);
        return putBack(job, token);
      }
      const failure = asFailure(error, job, log);
      countJob(queue, jobType, failure.lastTry ? 'failed' : 'retried');
      throw failure.error;
    }
  }

  /** Returns a job to the queue without counting an attempt. */
  async function putBack(job: SignedJob, token: string | undefined): Promise<never> {
    try {
      await job.moveToWait(token);
    } catch {
      // The queue may be in the database that is unavailable. If the job is returned late, its lock
      // may be lost: then the queue has given it to another worker, or detects it as stalled.
      await database.untilBack();
      await job.moveToWait(token).catch((error: unknown) => {
        log.warn({ err: error, jobType: job.name }, 'queue did not accept a returned job');
      });
    }
    throw new WaitingError();
  }

  return queues.worker(queue, async (job: SignedJob, token) => {
    // A worker that was fetching when it was paused gets one more job.
    if (gate.isShut) return putBack(job, token);
    pulse.began();
    try {
      if (job.name === CANARY) return;
      const envelope = await openJob(options, byType, job);
      await withJobId(envelope, () =>
        inJobSpan(queue, job, envelope, () => work(job, envelope, token)),
      );
    } finally {
      pulse.ended();
    }
  });
}

/**
 * The envelope of a job that one of its producers has signed for this queue.
 * @throws UnrecoverableError for any other job: it is counted, logged, and a dead letter at once
 */
async function openJob(
  { queue, keys, log }: WorkerOptions,
  byType: Routes,
  job: SignedJob,
): Promise<Envelope> {
  const opened = await openEnvelope(keys, queue, job.data);
  const refusal = opened.refusal ?? refusalOf(opened, byType);
  if (opened.refusal === undefined && refusal === undefined) return opened.envelope;
  const jobType = byType.has(job.name) ? job.name : UNKNOWN_TYPE;
  countJob(queue, jobType, 'refused');
  log.error({ jobId: job.id, jobType, reason: refusal }, 'job refused');
  throw new UnrecoverableError(`The job was refused: ${refusal}`);
}

function refusalOf({ producer, envelope }: SentJob, byType: Routes): string | undefined {
  const producers: ProcessName[] | undefined = byType.get(envelope.type)?.definition.producers;
  if (producers === undefined || producers.includes(producer)) return undefined;
  return `${producer} does not send jobs of type ${envelope.type}`;
}

function asFailure(error: unknown, job: Job, log: Logger): { error: unknown; lastTry: boolean } {
  const final =
    error instanceof ValidationError ||
    (error instanceof AppError && error.kind !== 'unavailable' && error.kind !== 'unexpected');
  const lastTry = final || job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
  log[lastTry ? 'error' : 'warn'](
    { err: error, jobType: job.name, attempt: job.attemptsMade + 1 },
    lastTry ? 'job failed for good' : 'job failed and will be retried',
  );
  if (!final) return { error, lastTry };
  const problems = error instanceof ValidationError ? `: ${error.problems.join('; ')}` : '';
  return { error: new UnrecoverableError(`${error.message}${problems}`), lastTry };
}
