import type { Job, JobState, Processor, Queue, Worker } from 'bullmq';
import type { Logger } from '../logger';
import type { Envelope, QueueName } from './define-job';
import { postgresBackend } from './postgres-backend';
import { redisBackend } from './redis-backend';

/** Type of the jobs that only show that a worker works; no outbox and no handler knows them. */
export const CANARY = 'canary';

/** Jobs that are worked on next: the longest waiting one, behind a canary of each instance. */
const LOOKED_AT = 20;

/** What became of a job, asked of the queue by the outbox sweeper. */
export type JobOutcome =
  | { state: 'completed' | 'missing' }
  | { state: 'failed'; reason: string }
  | {
      state: 'pending';
      /**
       * What a job that does not simply wait for its turn hangs on: a worker, or the end of its
       * pause, in its n-th try.
       */
      heldBy?: string;
    };

/** BullMQ's own word for whoever may take a job from the worker that holds it. */
const ANY_TOKEN = '0';

/** The part of BullMQ's queue and worker that Fiado uses: alike on both backends. */
export interface BullQueue extends Pick<
  Queue,
  'addBulk' | 'getJob' | 'getJobState' | 'getJobs' | 'getJobCounts' | 'waitUntilReady' | 'close'
> {
  on(event: 'error', listener: (error: Error) => void): unknown;
}
export interface BullWorker extends Pick<
  Worker,
  'close' | 'run' | 'isRunning' | 'waitUntilReady' | 'pause' | 'resume'
> {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** One of the two homes of the queues; the only place where they differ. */
export interface QueueBackend {
  openQueue(name: QueueName): BullQueue;
  openWorker(name: QueueName, processor: Processor<Envelope>): BullWorker;
  /** Whether a queue or worker whose first connection fails never tries another one. */
  connectsOnce: boolean;
  /** Those of the jobs that it knows to be completed, in one round trip; it need not tell of any. */
  completedAmong(name: string, jobIds: string[]): Promise<string[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface QueuesOptions {
  /** With it the queues live in Redis, without it in Postgres. */
  redisUrl: string | undefined;
  /** URL of the role that may touch the queues' schema. */
  queuesDatabaseUrl: string;
  prefix: string;
  log: Logger;
}

/** All the queues of one process: opened on first use, closed together. */
export class Queues {
  private readonly backend: QueueBackend;
  private readonly open = new Map<string, BullQueue>();

  constructor(private readonly options: QueuesOptions) {
    this.backend =
      options.redisUrl === undefined
        ? postgresBackend(options.queuesDatabaseUrl, this.onError)
        : redisBackend(options.redisUrl, options.prefix, this.onError);
  }

  /** Adds jobs under their envelopes' ids: a job that the queue still knows is not added twice. */
  async add(queue: string, envelopes: Envelope[]): Promise<void> {
    await this.queue(queue).addBulk(
      envelopes.map((envelope) => ({
        name: envelope.type,
        data: envelope,
        opts: { jobId: envelope.id },
      })),
    );
  }

  /** Adds a job that is worked on next, whatever waits, and leaves nothing behind. */
  async addCanary(queue: string, jobId: string): Promise<void> {
    const opts = { jobId, lifo: true, attempts: 1, removeOnComplete: true, removeOnFail: true };
    await this.queue(queue).addBulk([{ name: CANARY, data: {}, opts }]);
  }

  /** Age of the job that waits longest for a worker; 0 when none does. */
  async oldestWaitingSeconds(queue: string): Promise<number> {
    const { waiting = 0 } = await this.queue(queue).getJobCounts('waiting');
    const start = Math.max(0, waiting - LOOKED_AT);
    // From the end of the list that begins with the newest: asked for the other way round, BullMQ
    // on Postgres gives the newest ones all the same.
    const next: Job[] = await this.queue(queue).getJobs(['waiting'], start, waiting, false);
    // By the clocks of those who added them: one that is ahead is told as 0.
    return Math.max(0, ...next.map(({ timestamp }) => (Date.now() - timestamp) / 1000));
  }

  /** Those of the jobs that are completed, as far as one question to the queue can tell. */
  completedAmong(queue: string, jobIds: string[]): Promise<string[]> {
    return this.backend.completedAmong(queue, jobIds);
  }

  async outcomeOf(queue: string, jobId: string): Promise<JobOutcome> {
    // The state first: a job that is read before it fails does not know why it did.
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

  /** Lets a held job run at once, whatever its worker or its pause say. */
  async release(queue: string, jobId: string): Promise<void> {
    const job: Job | undefined = await this.queue(queue).getJob(jobId);
    if (job === undefined) return;
    if (await job.isActive()) await job.moveToWait(ANY_TOKEN);
    else if (await job.isDelayed()) await job.promote();
  }

  /** A worker that is not running yet. */
  worker(name: QueueName, processor: Processor<Envelope>): BullWorker {
    const worker = this.backend.openWorker(name, processor);
    worker.on('error', this.onError);
    return worker;
  }

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
   * Opens these queues and the worker while a failure can still end the start. In Postgres BullMQ
   * keeps the outcome of a first connection: after a failed one a queue takes no job any more, and
   * a worker asks for its next job without a pause, at 100 % CPU and deaf to all else. Redis is
   * waited for by BullMQ itself, and may be away at a start.
   * @throws when the database cannot be reached
   */
  async connect(names: QueueName[], worker: BullWorker): Promise<void> {
    if (!this.backend.connectsOnce) return;
    const opening = [worker, ...names.map((name) => this.queue(name))];
    await Promise.all(opening.map((one) => one.waitUntilReady())).catch(async (error: unknown) => {
      // From now on no connection is opened: what BullMQ still tries comes to nothing.
      await this.backend.close();
      throw error;
    });
  }

  /** @throws when the queues cannot be reached */
  ping(): Promise<void> {
    return this.backend.ping();
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map((queue) => queue.close()));
    await this.backend.close();
  }

  private readonly onError = (error: Error): void => {
    this.options.log.warn({ reason: error.message }, 'the queues report an error');
  };
}
