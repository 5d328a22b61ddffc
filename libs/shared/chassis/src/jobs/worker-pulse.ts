import { randomUUID } from 'node:crypto';
import type { Logger } from '../logger';
import { Loop } from '../loop';
import type { QueueName } from '@fiado/contracts/define';
import { WORKER_TIMING } from './queue-settings';
import { Progress } from '../progress';
import type { Timing } from '../timing';
import type { Queues } from './queues';

/** How long a job may take, in milliseconds: several statements and calls, each at its limit. */
const LONGEST_JOB_MS = 60_000;

/**
 * Whether the worker of this process works. A canary job passes its queue ahead of all waiting
 * jobs, so that a long queue does not count as a failure. Another instance may take the canary.
 * Then a worker counts as stuck if all of its slots are in use and no job finishes.
 */
export class WorkerPulse {
  private readonly process = randomUUID();
  private sent = 0;
  private canary: string | undefined;
  private aliveAtMs = performance.now();
  private running = 0;
  private fullSinceMs: number | undefined;
  private readonly progress: Progress;

  constructor(
    private readonly queues: Queues,
    private readonly queue: QueueName,
    private readonly timing: Pick<Timing, 'canary' | 'workerSilence'>,
  ) {
    this.progress = new Progress('worker', queue, LONGEST_JOB_MS);
  }

  /** The canaries, as a loop. */
  createLoop(log: Logger): Loop {
    const everyMs = this.timing.canary;
    return new Loop(log, { name: 'worker pulse', everyMs, round: () => this.round() });
  }

  /** The worker took a job. */
  began(): void {
    this.running += 1;
    this.progress.began();
    if (this.isFull) this.fullSinceMs ??= performance.now();
  }

  /** The worker finished a job, successfully or not. */
  ended(): void {
    this.running -= 1;
    this.progress.ended();
    this.aliveAtMs = performance.now();
    this.fullSinceMs = this.isFull ? this.aliveAtMs : undefined;
  }

  private get isFull(): boolean {
    return this.running >= WORKER_TIMING.concurrency;
  }

  /** A canary got its turn. */
  passed(): void {
    this.aliveAtMs = performance.now();
  }

  /** The worker has stopped, and a job that it could not end with it. */
  close(): void {
    this.progress.close();
  }

  /** @throws Error if the worker has shown no activity for too long */
  check(): void {
    const limitMs = this.timing.workerSilence;
    const now = performance.now();
    const silent = now - this.aliveAtMs > limitMs;
    const stuck = this.fullSinceMs !== undefined && now - this.fullSinceMs > limitMs;
    if (silent || stuck) throw new Error(`The worker of ${this.queue} shows no life`);
  }

  private async round(): Promise<void> {
    if (this.canary !== undefined) {
      const { state } = await this.queues.outcomeOf(this.queue, this.canary);
      if (state === 'pending') return;
      // A canary that is gone was taken by a worker.
      this.aliveAtMs = performance.now();
    }
    this.canary = undefined;
    this.sent += 1;
    const jobId = `canary-${this.process}-${this.sent}`;
    await this.queues.addCanary(this.queue, jobId);
    this.canary = jobId;
  }
}
