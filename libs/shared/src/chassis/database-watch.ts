import type { DataSource } from 'typeorm';
import { poolOf } from './db/data-source';
import { isDatabaseUnavailable } from './db/unavailable';
import type { WorkerGate } from './jobs/worker-gate';
import type { Logger } from './logger';
import { Loop } from './loop';

/** How often the database is pinged. Also the shortest rest of a worker whose job could not reach it. */
const PING_EVERY_MS = 1_000;
/** A connection that a network dropped without a word is closed after this, not waited on. */
const PING_TIMEOUT_MS = 2_000;
const PING = { text: 'SELECT 1', query_timeout: PING_TIMEOUT_MS };

/**
 * Shuts the worker's gate while the database of its service is away. Without it a worker whose queue
 * lives in Redis goes on taking jobs, and each job uses up its tries within a minute.
 */
export class DatabaseWatch {
  private isAway = false;
  private isClosed = false;
  private waiting: Array<() => void> = [];

  constructor(
    private readonly db: DataSource,
    private readonly options: { gate: WorkerGate; log: Logger },
  ) {}

  /** The pings, as a loop. */
  createLoop(): Loop {
    return new Loop({
      name: 'database watch',
      everyMs: PING_EVERY_MS,
      log: this.options.log,
      round: () => this.look(),
    });
  }

  /** Pings once, and shuts or opens the gate. @throws when the ping fails */
  async look(): Promise<void> {
    try {
      await poolOf(this.db).query(PING);
    } catch (error) {
      if (isDatabaseUnavailable(error)) await this.reportLost(error);
      throw error;
    }
    if (!this.isAway) return;
    this.isAway = false;
    this.options.log.info({}, 'the database is back: the worker takes jobs again');
    this.release();
    await this.options.gate.open('database');
  }

  /** Shuts the gate until a ping succeeds. For a job that could not reach the database. */
  async reportLost(error: unknown): Promise<void> {
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    this.options.log.warn({ err: error }, 'the database is away: the worker takes no jobs');
    await this.options.gate.shut('database');
  }

  /** Resolves at once while the database is there, else when it is back or this watch is closed. */
  async untilBack(): Promise<void> {
    if (!this.isAway || this.isClosed) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Ends all waits: the process stops. */
  close(): void {
    this.isClosed = true;
    this.release();
  }

  private release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
