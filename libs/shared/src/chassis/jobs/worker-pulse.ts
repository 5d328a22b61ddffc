import { randomUUID } from 'node:crypto';
import type { Logger } from '../logger';
import { Loop } from '../loop';
import type { QueueName } from '../../contracts/define-job';
import { WORKER_TIMING } from './queue-settings';
import type { Queues } from './queues';

/** How often a canary is sent. */
const CANARY_MS = 5_000;
/**
 * Two canaries in a row that did not come through, and two seconds for a busy machine. What a canary
 * showed may be known a round late.
 */
const SILENT_MS = 12_000;

/**
 * Whether this process' worker works. A canary goes through its queue, past all that waits there,
 * so that a long queue is no silence. Another instance may take it; then the worker's own places
 * tell: all of them held, and no job finished, is a worker that nothing can use.
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
    return new Loop({
      name: 'worker pulse',
      everyMs: CANARY_MS,
      log,
      round: () => this.round(),
    });
  }

  /** The worker took a job. */
  began(): void {
    this.running += 1;
    if (this.running === WORKER_TIMING.concurrency) this.fullSinceMs = performance.now();
  }

  /** The worker finished a job, well or not. */
  ended(): void {
    this.running -= 1;
    this.fullSinceMs = undefined;
    this.aliveAtMs = performance.now();
  }

  /** @throws Error when the worker has shown no life for too long */
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
