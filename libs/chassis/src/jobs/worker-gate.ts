import type { BullWorker } from './queues';

/** Why a worker takes no jobs: its process has a wrong clock, or its database is unavailable. */
export type RestReason = 'clock' | 'database';

/** Pauses a worker while there is at least one reason to take no jobs. */
export class WorkerGate {
  private readonly reasons = new Set<RestReason>();
  private worker: Pick<BullWorker, 'pause' | 'resume'> | undefined;

  /** Whether jobs are left to other processes. */
  get isShut(): boolean {
    return this.reasons.size > 0;
  }

  /** Includes this worker from now on. */
  guard(worker: Pick<BullWorker, 'pause' | 'resume'>): void {
    this.worker = worker;
  }

  async shut(reason: RestReason): Promise<void> {
    const wasShut = this.isShut;
    this.reasons.add(reason);
    // Does not wait for running jobs, which may be unable to finish.
    if (!wasShut) await this.worker?.pause(true);
  }

  async open(reason: RestReason): Promise<void> {
    if (!this.reasons.delete(reason) || this.isShut) return;
    await this.worker?.resume();
  }
}
