import type { Job, JobsOptions, JobState, Queue } from 'bullmq';
import type { Envelope, QueueName } from '@fiado/contracts/define';
import type { Logger } from '../logger';
import type { ProcessKeys } from '../keys/process-keys';
import { SeldomLines } from '../seldom-lines';
import { inSpan } from '../tracing/tracer';
import {
  postgresBackend,
  redisBackend,
  type BullQueue,
  type BullWorker,
  type JobProcessor,
  type QueueBackend,
} from './backends';
import { apartOf, BUNDLE, sizeOf } from './bundle';
import { type SignedBundle, type SentJob, signBundle, signEnvelope } from './signed-envelope';

/**
 * Type of the canary jobs, which only show that a worker works. They have no outbox row and no
 * handler.
 */
export const CANARY = 'canary';

/** Jobs at the head of the queue: the oldest waiting job, behind a canary of each instance. */
const LOOKED_AT = 20;

/** The outcome of a job, asked of the queue by the outbox sweeper. */
export type JobOutcome =
  | { state: 'completed' | 'missing' }
  | { state: 'failed'; reason: string }
  | {
      state: 'pending';
      /** Why the job does not wait in its queue: a worker has it, or a delay before its n-th attempt. */
      heldBy?: string;
    };

/** The outcome of a bundle; a completed one names the jobs that live on as jobs of their own. */
export type BundleOutcome = JobOutcome & { apart?: Set<string> };

/** States that a bundle may be in before its end. */
const BUNDLED_STATES = ['waiting', 'active', 'delayed'] as const;

/** Ids read to count the jobs in bundles. The count of a longer list is extrapolated from them. */
const MAX_COUNTED = 10_000;

/** BullMQ's name for the token of the worker that holds a job. */
const ANY_TOKEN = '0';

type NewJob = Parameters<Queue['addBulk']>[0][number];

export interface QueuesOptions {
  /** With it the queues live in Redis, without it in Postgres. */
  redisUrl: string | undefined;
  /** URL of the role that may touch the queues' schema. */
  queuesDatabaseUrl: string;
  /** First part of the queues' names in Redis. */
  prefix: string;
  /** Sign the jobs that are added. */
  keys: ProcessKeys;
  log: Logger;
  /** Longest wait for a connection to Postgres; by default that of production. */
  connectTimeoutMs?: number;
}

/** All the queues of one process: opened on first use, closed together. */
export class Queues {
  private readonly backend: QueueBackend;
  private readonly open = new Map<string, BullQueue>();
  private readonly errors = new SeldomLines();
  private readonly connectedWorkers = new WeakSet<BullWorker>();

  constructor(private readonly options: QueuesOptions) {
    this.backend =
      options.redisUrl === undefined
        ? postgresBackend(options.queuesDatabaseUrl, options.connectTimeoutMs, this.onError)
        : redisBackend(options.redisUrl, options.prefix, this.onError);
  }

  /**
   * Signs jobs and adds them under their envelopes' ids. A job that the queue still knows is not
   * added again.
   * @param traceparents of the spans that send them, in the order of the jobs
   * @param bundleId makes them one job of the queue, under this id
   */
  async add(
    queue: string,
    envelopes: Envelope[],
    traceparents: (string | null)[] = [],
    bundleId: string | null = null,
  ): Promise<void> {
    if (bundleId !== null) {
      const data = await signBundle(this.options.keys, queue, envelopes, traceparents);
      return this.addJobs(queue, [{ name: BUNDLE, data, opts: { jobId: bundleId } }]);
    }
    const jobs = envelopes.map(async (envelope, at) => ({
      name: envelope.type,
      data: await signEnvelope(this.options.keys, queue, envelope),
      opts: { jobId: envelope.id, ...telemetryOf(traceparents[at]) },
    }));
    await this.addJobs(queue, await Promise.all(jobs));
  }

  /** Adds jobs of a bundle again, as jobs of their own, with the signature of their producer. */
  async addApart(
    queue: string,
    { data, timestamp }: Pick<Job<SignedBundle>, 'data' | 'timestamp'>,
    sent: SentJob[],
  ): Promise<void> {
    if (sent.length === 0) return;
    const jobs = sent.map(({ envelope, row }) => ({
      name: envelope.type,
      data: { ...data, rows: row === undefined ? [] : [row] },
      opts: { jobId: envelope.id, timestamp, ...telemetryOf(row?.traceparent) },
    }));
    await this.addJobs(queue, jobs);
  }

  /** Adds a job to the head of the queue and deletes it when it is done. */
  async addCanary(queue: string, jobId: string): Promise<void> {
    const opts = { jobId, lifo: true, attempts: 1, removeOnComplete: true, removeOnFail: true };
    await this.addJobs(queue, [{ name: CANARY, data: {}, opts }]);
  }

  /**
   * Adds a single job: for several at once, BullMQ on Postgres creates temporary tables, which take
   * 5 ms a call.
   */
  private async addJobs(queue: string, jobs: NewJob[]): Promise<void> {
    const [job] = jobs;
    if (job !== undefined && jobs.length === 1) {
      await this.queue(queue).add(job.name, job.data, job.opts);
    } else {
      await this.queue(queue).addBulk(jobs);
    }
  }

  /** Jobs in the queue by state, those inside bundles too. */
  async countJobs(queue: string): Promise<Record<string, number>> {
    const opened = this.queue(queue);
    const counts = await opened.getJobCounts('waiting', 'active', 'delayed', 'failed');
    for (const state of BUNDLED_STATES) {
      const count = counts[state] ?? 0;
      if (count === 0) continue;
      const ids = await opened.getRanges([state], 0, MAX_COUNTED - 1);
      const jobs = ids.reduce((sum, id) => sum + sizeOf(id), 0);
      counts[state] = Math.round((count * jobs) / Math.max(ids.length, 1));
    }
    return counts;
  }

  /** Age of the job that waits longest for a worker; 0 when none does. */
  async oldestWaitingSeconds(queue: string): Promise<number> {
    const { waiting = 0 } = await this.queue(queue).getJobCounts('waiting');
    const start = Math.max(0, waiting - LOOKED_AT);
    // Read from the end of the list that begins with the newest, because BullMQ on Postgres ignores
    // the opposite order.
    const next: Job[] = await this.queue(queue).getJobs(['waiting'], start, waiting, false);
    // The clocks of the producers set these times, so a time in the future counts as 0.
    return Math.max(0, ...next.map(({ timestamp }) => (Date.now() - timestamp) / 1000));
  }

  /** Which of these jobs one request to the queue reports as completed. */
  completedAmong(queue: string, jobIds: string[]): Promise<string[]> {
    return this.backend.completedAmong(queue, jobIds);
  }

  async outcomeOf(queue: string, jobId: string): Promise<JobOutcome> {
    // Read the state first: a job that is read before it fails has no reason yet.
    const state: JobState | 'unknown' = await this.queue(queue).getJobState(jobId);
    if (state === 'completed') return { state };
    if (state === 'unknown') return { state: 'missing' };
    const isHeld = state === 'active' || state === 'delayed';
    if (!isHeld && state !== 'failed') return { state: 'pending' };

    const job: Job | undefined = await this.queue(queue).getJob(jobId);
    if (job === undefined) return { state: 'missing' };
    if (state === 'failed') return { state, reason: job.failedReason };
    return { state: 'pending', heldBy: `${state} ${job.attemptsStarted}` };
  }

  /** The outcome of a bundle: of a completed one, the jobs that were added again apart. */
  async outcomeOfBundle(queue: string, bundleId: string): Promise<BundleOutcome> {
    const outcome = await this.outcomeOf(queue, bundleId);
    if (outcome.state !== 'completed') return outcome;
    const job: Job | undefined = await this.queue(queue).getJob(bundleId);
    if (job === undefined) return { state: 'missing' };
    return { ...outcome, apart: apartOf(job.returnvalue) };
  }

  /** Releases a held job so that it runs at once, regardless of its worker or delay. */
  async release(queue: string, jobId: string): Promise<void> {
    const job: Job | undefined = await this.queue(queue).getJob(jobId);
    if (job === undefined) return;
    if (await job.isActive()) await job.moveToWait(ANY_TOKEN);
    else if (await job.isDelayed()) await job.promote();
  }

  /** A worker that is not running yet. */
  worker(name: QueueName, processor: JobProcessor): BullWorker {
    const worker = this.backend.openWorker(name, processor);
    worker.on('error', this.onError);
    worker.waitUntilReady().then(
      () => this.connectedWorkers.add(worker),
      () => {}, // reported as an error event
    );
    return worker;
  }

  /**
   * Closes a worker after its jobs. One that has never reached its queue has none, and BullMQ would
   * wait for its connection for ever.
   */
  async closeWorker(worker: BullWorker): Promise<void> {
    await worker.close(!this.connectedWorkers.has(worker));
  }

  /** @throws Error when the queue is not open yet and Redis is unavailable */
  queue(name: string): BullQueue {
    let queue = this.open.get(name);
    if (queue === undefined) {
      queue = this.backend.openQueue(name as QueueName);
      queue.on('error', this.onError);
      this.open.set(name, queue);
    }
    return queue;
  }

  /**
   * Waits for the first connection: to Postgres for 30 s, to Redis for a moment, because a service works without it.
   * Before any queue or worker is opened: on Postgres BullMQ keeps the outcome of the first connection. After a
   * failure a queue never accepts a job, and a worker polls without a pause at 100 % CPU.
   * @throws Error when the queues' database cannot be reached
   */
  untilConnected(): Promise<void> {
    return this.backend.untilConnected();
  }

  /**
   * Opens the worker and these queues while a failure can still end the start. One after another:
   * they share a connection then, and a busy server takes its time for each new one.
   * @throws Error when the queues' database cannot be reached; all connections to it are closed
   */
  async connect(names: readonly QueueName[], worker: BullWorker): Promise<void> {
    if (!this.backend.connectsOnce) return;
    try {
      await worker.waitUntilReady();
      for (const name of names) await this.queue(name).waitUntilReady();
    } catch (error) {
      // Closing the worker and the queues would wait for what BullMQ still tries to open.
      this.backend.abandon();
      throw error;
    }
  }

  /** @throws when the queues cannot be reached */
  ping(): Promise<void> {
    return this.backend.ping();
  }

  /**
   * The `maxmemory-policy` of Redis, unknown if it may not be read; undefined for queues in Postgres.
   * @throws when Redis cannot be reached
   */
  async evictionPolicy(): Promise<string | undefined> {
    return this.backend.evictionPolicy?.();
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map((queue) => queue.close()));
    await this.backend.close();
  }

  private readonly onError = (error: Error): void => {
    const reason = error.message;
    this.errors.note(reason, (times) => this.options.log.warn({ reason, times }, 'queue error'));
  };
}

/** The option in which BullMQ keeps the trace of a job, on both backends. */
function telemetryOf(traceparent: string | null | undefined): Pick<JobsOptions, 'telemetry'> {
  if (traceparent == null) return {};
  return { telemetry: { metadata: JSON.stringify({ traceparent }) } };
}

/** Runs the handler of a job in a span of the trace that wrote the job. */
export function inJobSpan(
  queue: QueueName,
  job: Pick<Job, 'opts' | 'attemptsMade'>,
  { envelope: { id, type }, row }: SentJob,
  work: () => Promise<void>,
): Promise<void> {
  const attributes = {
    'messaging.destination.name': queue,
    'messaging.message.id': id,
    'fiado.attempt': job.attemptsMade + 1,
  };
  const parent = row === undefined ? traceparentOf(job) : row.traceparent;
  return inSpan(`process ${type}`, { kind: 'consumer', parent, attributes }, work);
}

/** Null without one. It is not signed: it decides nothing but the trace. */
function traceparentOf({ opts }: Pick<Job, 'opts'>): string | null {
  try {
    const { traceparent } = JSON.parse(opts.telemetry?.metadata ?? '{}') as {
      traceparent?: unknown;
    };
    return typeof traceparent === 'string' ? traceparent : null;
  } catch {
    return null;
  }
}
