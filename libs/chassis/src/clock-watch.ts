import type { Database } from './db/database';
import { query } from './db/query';
import { WORKER_TIMING } from './jobs/queue-settings';
import type { WorkerGate } from './jobs/worker-gate';
import type { Logger } from './logger';
import { Loop } from './loop';
import { recordClockSkew } from './metrics';

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
