import type { Database } from './db/database';
import { isDatabaseUnavailable } from './db/unavailable';
import { checkWritable } from './db/writable';
import type { WorkerGate } from './jobs/worker-gate';
import type { Logger } from './logger';
import { Loop } from './loop';

/**
 * How often the database is pinged. Also the shortest pause of a worker whose job could not reach
 * it.
 */
const PING_EVERY_MS = 1_000;

/**
 * Pauses the worker while the database of its service is unavailable or read-only. Without it a
 * worker whose queue lives in Redis would go on taking jobs, and each job would use up its attempts within a
 * minute.
 */
export class DatabaseWatch {
  private isAway = false;
  private isClosed = false;
  private waiting: Array<() => void> = [];

  constructor(
    private readonly db: Database,
    private readonly options: { gate: WorkerGate; log: Logger },
  ) {}

  /** Pings the database in a loop. */
  createLoop(): Loop {
    return new Loop(this.options.log, {
      name: 'database watch',
      everyMs: PING_EVERY_MS,
      round: () => this.look(),
    });
  }

  /** Pings once, and pauses or resumes the worker. @throws while the database is unavailable */
  async look(): Promise<void> {
    try {
      await checkWritable(this.db.connection);
    } catch (error) {
      if (isDatabaseUnavailable(error)) await this.reportLost(error);
      throw error;
    }
    if (!this.isAway) return;
    this.isAway = false;
    this.options.log.info({}, 'database available again: worker resumed');
    this.release();
    await this.options.gate.open('database');
  }

  /**
   * Pauses the worker until the database answers. Called for a job that could not reach the
   * database.
   */
  async reportLost(error: unknown): Promise<void> {
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    this.options.log.warn({ err: error }, 'database unavailable: worker paused');
    await this.options.gate.shut('database');
  }

  /**
   * Resolves at once while the database is available, otherwise when it is again or when this watch
   * is closed.
   */
  async untilBack(): Promise<void> {
    if (!this.isAway || this.isClosed) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Ends all waits, because the process stops. */
  close(): void {
    this.isClosed = true;
    this.release();
  }

  private release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
