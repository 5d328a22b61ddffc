import type { DataSource } from 'typeorm';
import { query } from './db/query';
import { WORKER_TIMING } from './jobs/queue-settings';
import type { WorkerGate } from './jobs/worker-gate';
import type { Logger } from './logger';
import { Loop } from './loop';
import { recordClockSkew } from './metrics';

/** How often the clocks are compared: so long a clock that jumps may do harm. */
const LOOK_MS = 1_000;
/**
 * A live lock on a job has at least half of its life left, so clocks that are closer than that
 * agree on which worker is alive.
 */
const MAX_SKEW_MS = WORKER_TIMING.lockDuration / 2;

/**
 * Compares this process' clock with the database's. BullMQ judges locks (on Postgres), pauses
 * between tries and the age of finished jobs by the clock of whichever worker looks: one that is an
 * hour off takes live jobs from the others, and hides dead ones from them. So while the clock is
 * wrong this process takes no jobs and is not ready; the others go on.
 */
export class ClockWatch {
  private wrong = false;

  constructor(
    private readonly db: DataSource,
    private readonly options: {
      service: string;
      gate: WorkerGate;
      log: Logger;
      now?: () => number;
    },
  ) {}

  /** The comparison, as a loop. */
  createLoop(): Loop {
    return new Loop({
      name: 'clock watch',
      everyMs: LOOK_MS,
      log: this.options.log,
      round: () => this.look(),
    });
  }

  /** Compares once, and shuts or opens the worker's gate. @throws when the database is away */
  async look(): Promise<void> {
    const { service, gate, log } = this.options;
    const { skewMs, uncertainMs } = await this.compare();
    recordClockSkew(service, skewMs / 1_000);
    const wrong = Math.abs(skewMs) > MAX_SKEW_MS;
    // An answer that took long tells nothing: this process may have stood still in between.
    if (wrong === this.wrong || uncertainMs > MAX_SKEW_MS) return;
    this.wrong = wrong;
    if (wrong) {
      log.error({ skewMs }, 'the clock differs from the database: no jobs until it is right');
      await gate.shut('clock');
    } else {
      log.info({ skewMs }, 'the clock is right again');
      await gate.open('clock');
    }
  }

  /** @throws Error while the clock is wrong */
  check(): void {
    if (this.wrong) throw new Error('The clock differs from the database');
  }

  /** How far this clock is ahead, at the middle of the question; off by at most half its time. */
  private async compare(): Promise<{ skewMs: number; uncertainMs: number }> {
    const now = this.options.now ?? Date.now;
    const askedAt = performance.now();
    const [row] = await query<{ ms: number }>(
      this.db,
      'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS ms',
    );
    const tookMs = performance.now() - askedAt;
    const uncertainMs = tookMs / 2;
    return { skewMs: Math.round(now() - uncertainMs - (row?.ms ?? now())), uncertainMs };
  }
}
