import type { Database } from '../db/database';
import { isDatabaseUnavailable } from '../db/errors';
import { query } from '../db/query';
import { checkWritable } from '../db/writable';
import type { Logger } from '../logger';
import { Loop } from '../loop';
import { recordClockSkew } from '../metrics';
import { WORKER_TIMING } from './queue-settings';
import type { BullWorker } from './backends';

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

/** How often a jump of this clock is looked for. A clock that jumped may do harm for this long. */
const LOOK_MS = 1_000;

/** How often the clocks are compared if this one has not jumped: clocks drift slowly. */
const ASK_MS = 10_000;

/** A smaller jump is harmless until the next comparison. */
const MAX_JUMP_MS = 1_000;

/**
 * A live lock on a job has at least half of its life left, so clocks that are closer than that
 * agree on which worker is alive.
 */
const MAX_SKEW_MS = WORKER_TIMING.lockDuration / 2;

/**
 * Compares this process' clock with the database's. BullMQ uses the clock of the worker for locks
 * (on Postgres), for delays between attempts and for the age of finished jobs. A worker whose clock
 * is an hour off takes live jobs from others and hides stalled ones. So while the clock is wrong
 * this process takes no jobs and is not ready; others continue.
 */
export class ClockWatch {
  private wrong = false;
  /** The readings of both clocks of this process at the last comparison with the database. */
  private asked: { monotonicMs: number; jumpedMs: number } | undefined;

  constructor(
    private readonly db: Database,
    private readonly options: {
      service: string;
      gate: WorkerGate;
      log: Logger;
      now?: () => number;
    },
  ) {}

  /** The comparison, as a loop. */
  createLoop(): Loop {
    return new Loop(this.options.log, {
      name: 'clock watch',
      everyMs: LOOK_MS,
      round: () => this.lookIfDue(),
    });
  }

  /** Compares when this clock has jumped, was wrong, or was not compared for a while. */
  async lookIfDue(): Promise<void> {
    if (this.isDue()) await this.look();
  }

  /** Compares once, and pauses or resumes the worker. @throws when the database is unavailable */
  async look(): Promise<void> {
    const { service, gate, log } = this.options;
    const asked = this.clocks();
    const { skewMs, uncertainMs } = await this.compare();
    this.asked = asked;
    recordClockSkew(service, skewMs / 1_000);
    const wrong = Math.abs(skewMs) > MAX_SKEW_MS;
    // A slow answer is not conclusive: this process may have been suspended meanwhile.
    if (wrong === this.wrong || uncertainMs > MAX_SKEW_MS) return;
    this.wrong = wrong;
    if (wrong) {
      log.error({ skewMs }, 'clock differs from the database: worker paused');
      await gate.shut('clock');
    } else {
      log.info({ skewMs }, 'clock is right again: worker resumed');
      await gate.open('clock');
    }
  }

  /** @throws Error while the clock is wrong */
  check(): void {
    if (this.wrong) throw new Error('The clock differs from the database');
  }

  private isDue(): boolean {
    if (this.wrong || this.asked === undefined) return true;
    const { monotonicMs, jumpedMs } = this.clocks();
    return (
      monotonicMs - this.asked.monotonicMs >= ASK_MS ||
      Math.abs(jumpedMs - this.asked.jumpedMs) > MAX_JUMP_MS
    );
  }

  /** The monotonic clock, and how far the wall clock is ahead of it. */
  private clocks(): { monotonicMs: number; jumpedMs: number } {
    const monotonicMs = performance.now();
    return { monotonicMs, jumpedMs: this.now() - monotonicMs };
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }

  /**
   * How far this clock is ahead, taken at the middle of the query; the error is at most half its
   * duration.
   */
  private async compare(): Promise<{ skewMs: number; uncertainMs: number }> {
    const askedAt = performance.now();
    const [row] = await query<{ ms: number }>(
      this.db,
      'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    const tookMs = performance.now() - askedAt;
    const uncertainMs = tookMs / 2;
    return { skewMs: Math.round(this.now() - uncertainMs - (row?.ms ?? this.now())), uncertainMs };
  }
}

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
