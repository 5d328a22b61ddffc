import { type Job, UnrecoverableError, WaitingError } from 'bullmq';
import type { Envelope, JobDefinition, QueueName } from '@fiado/contracts/define';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import type { ProcessName } from '@fiado/contracts/process-names';
import { isDatabaseUnavailable } from '../db/errors';
import type { Logger } from '../logger';
import type { ProcessKeys } from '../keys/process-keys';
import { announceJob, countJob } from './queue-metrics';
import { withJobId } from '../request-context';
import { validInstance } from '../validation';
import { CANARY, inJobSpan, type Queues } from './queues';
import type { BullWorker } from './backends';
import { BUNDLE } from './bundle';
import { workOnBundle, Slots } from './work-on-bundle';
import { WORKER_TIMING } from './queue-settings';
import {
  openEnvelope,
  type SentJob,
  type SignedBundle,
  type SignedEnvelope,
} from './signed-envelope';
import type { DatabaseWatch, WorkerGate } from './worker-gate';
import type { WorkerPulse } from './worker-pulse';

/** A worker's entry for one type of job: its definition and its handler. */
export interface JobRoute {
  definition: JobDefinition<object>;
  handle: (envelope: Envelope) => Promise<void>;
  /** Whether the handler's statement is one for many jobs, so that it needs no connection of its own. */
  sharesStatement: boolean;
}

/** Ties a definition to its handler, whose `data` then has the definition's class. */
export function on<Data extends object>(
  definition: JobDefinition<Data>,
  handle: (envelope: Envelope<Data>) => Promise<void>,
  { sharesStatement = false }: { sharesStatement?: boolean } = {},
): JobRoute {
  return {
    definition,
    sharesStatement,
    handle: (envelope) =>
      handle({ ...envelope, data: validInstance(definition.Data, envelope.data, 'ignore') }),
  };
}

type SignedJob = Job<SignedEnvelope | SignedBundle>;
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
 *
 * What fails inside a bundle is added again as a job of its own, to which the same policy applies.
 */
export function createWorker(options: WorkerOptions): BullWorker {
  const { queues, queue, routes, pulse, gate } = options;
  const byType = new Map(routes.map((route) => [route.definition.type, route]));
  for (const type of [...byType.keys(), UNKNOWN_TYPE]) announceJob(queue, type);

  const slots = new Slots(WORKER_TIMING.concurrency);
  const attempt = createAttempt(options, byType);
  const bundleParts = {
    ...options,
    slots,
    sharesStatement: ({ envelope }: SentJob) => byType.get(envelope.type)?.sharesStatement === true,
    isAllowed: (sent: SentJob) => refusalOf(sent, byType) === undefined,
    attempt: (job: SignedJob, sent: SentJob) =>
      attempt(job, sent, () => Promise.reject(new WaitingError())),
  };

  return queues.worker(queue, async (job: SignedJob, token) => {
    // A worker that was fetching when it was paused gets one more job.
    if (gate.isShut) return putBack(options, job, token);
    if (job.name === CANARY) return slots.run(async () => pulse.passed());
    const sent = await openJob(options, byType, job);
    if (isBundle(job)) {
      const result = await workOnBundle(bundleParts, job, sent);
      return result === 'put-back' ? putBack(options, job, token) : result;
    }
    const [one] = sent;
    if (one !== undefined) {
      await slots.run(() => attempt(job, one, () => putBack(options, job, token)));
    }
  });
}

/** One attempt of a job that its producer has signed. */
type Attempt = (
  job: SignedJob,
  sent: SentJob,
  onDatabaseLost: () => Promise<never>,
) => Promise<void>;

/** Attempts jobs with their ids and in their traces. */
function createAttempt({ queue, pulse, database, log }: WorkerOptions, byType: Routes): Attempt {
  // All fields are known, as in the log line of a request, so the search for secrets is skipped.
  const doneLog = log.child({}, { redact: [] });

  async function work(
    job: SignedJob,
    envelope: Envelope,
    onDatabaseLost: () => Promise<never>,
  ): Promise<void> {
    const startedAt = performance.now();
    const { type: jobType } = envelope;
    const route = byType.get(jobType);
    // A newer producer may have sent it, and a worker of the next release may know it: retry it.
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
        return onDatabaseLost();
      }
      const failure = asFailure(error, { job, jobType }, log);
      countJob(queue, jobType, failure.lastTry ? 'failed' : 'retried');
      throw failure.error;
    }
  }

  return async function attempt(
    job: SignedJob,
    sent: SentJob,
    onDatabaseLost: () => Promise<never>,
  ): Promise<void> {
    pulse.began();
    try {
      await withJobId(sent.envelope, () =>
        inJobSpan(queue, job, sent, () => work(job, sent.envelope, onDatabaseLost)),
      );
    } finally {
      pulse.ended();
    }
  };
}

/** Returns a job to the queue without counting an attempt. */
async function putBack(
  { database, log }: Pick<WorkerOptions, 'database' | 'log'>,
  job: SignedJob,
  token: string | undefined,
): Promise<never> {
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

function isBundle(job: SignedJob): job is Job<SignedBundle> {
  return job.name === BUNDLE;
}

/**
 * What one of its producers has signed for this queue: one job, or the jobs of a bundle.
 * @throws UnrecoverableError for any other job: it is counted, logged, and a dead letter at once
 */
async function openJob(
  { queue, keys, log }: WorkerOptions,
  byType: Routes,
  job: SignedJob,
): Promise<SentJob[]> {
  const opened = await openEnvelope(keys, queue, job.data);
  const refusal = opened.refusal ?? (isBundle(job) ? undefined : refusalOfOne(opened.sent, byType));
  if (opened.refusal === undefined && refusal === undefined) return opened.sent;
  const jobType = byType.has(job.name) ? job.name : UNKNOWN_TYPE;
  countJob(queue, jobType, 'refused');
  log.error({ jobId: job.id, jobType, reason: refusal }, 'job refused');
  throw new UnrecoverableError(`The job was refused: ${refusal}`);
}

function refusalOfOne([sent, ...others]: SentJob[], byType: Routes): string | undefined {
  if (sent === undefined || others.length > 0) return 'it is a bundle under another name';
  return refusalOf(sent, byType);
}

function refusalOf({ producer, envelope }: SentJob, byType: Routes): string | undefined {
  const producers: ProcessName[] | undefined = byType.get(envelope.type)?.definition.producers;
  if (producers === undefined || producers.includes(producer)) return undefined;
  return `${producer} does not send jobs of type ${envelope.type}`;
}

function asFailure(
  error: unknown,
  { job, jobType }: { job: SignedJob; jobType: string },
  log: Logger,
): { error: unknown; lastTry: boolean } {
  const final =
    error instanceof ValidationError ||
    (error instanceof AppError && error.kind !== 'unavailable' && error.kind !== 'unexpected');
  const attempts = job.opts.attempts ?? 1;
  const lastTry = !isBundle(job) && (final || job.attemptsMade + 1 >= attempts);
  log[lastTry ? 'error' : 'warn'](
    { err: error, jobType, attempt: job.attemptsMade + 1 },
    lastTry ? 'job failed for good' : 'job failed and will be retried',
  );
  if (!final) return { error, lastTry };
  const problems = error instanceof ValidationError ? `: ${error.problems.join('; ')}` : '';
  return { error: new UnrecoverableError(`${error.message}${problems}`), lastTry };
}
