import { randomUUID } from 'node:crypto';
import type { Logger } from '../logger';
import { Loop } from '../loop';
import type { QueueName } from '../../contracts/define-job';
import { WORKER_TIMING } from './queue-settings';
import type { Queues } from './queues';

/** How often a canary is sent. */
const CANARY_MS = 5_000;
/**
 * Two canaries in a row that failed, and two seconds for a busy machine. The result of a canary may
 * be known one interval late.
 */
const SILENT_MS = 12_000;

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

  constructor(
    private readonly queues: Queues,
    private readonly queue: QueueName,
  ) {}

  /** The canaries, as a loop. */
  createLoop(log: Logger): Loop {
    return new Loop(log, { name: 'worker pulse', everyMs: CANARY_MS, round: () => this.round() });
  }

  /** The worker took a job. */
  began(): void {
    this.running += 1;
    if (this.running === WORKER_TIMING.concurrency) this.fullSinceMs = performance.now();
  }

  /** The worker finished a job, successfully or not. */
  ended(): void {
    this.running -= 1;
    this.fullSinceMs = undefined;
    this.aliveAtMs = performance.now();
  }

  /** @throws Error if the worker has shown no activity for too long */
  check(): void {
    const now = performance.now();
    const silent = now - this.aliveAtMs > SILENT_MS;
    const stuck = this.fullSinceMs !== undefined && now - this.fullSinceMs > SILENT_MS;
    if (silent || stuck) throw new Error(`The worker of ${this.queue} shows no life`);
  }

  private async round(): Promise<void> {
    if (this.canary !== undefined) {
      const { state } = await this.queues.outcomeOf(this.queue, this.canary);
      if (state === 'pending') return;
      // A canary leaves nothing behind: it is gone because a worker had it.
      this.aliveAtMs = performance.now();
    }
    this.canary = undefined;
    this.sent += 1;
    const jobId = `canary-${this.process}-${this.sent}`;
    await this.queues.addCanary(this.queue, jobId);
    this.canary = jobId;
  }
}
