import type { QueueName } from '@fiado/contracts/define';
import type { Database } from '../db/database';
import { isDatabaseUnavailable } from '../db/errors';
import { announceJob, countJob } from '../jobs/queue-metrics';
import type { WorkerGate } from '../jobs/worker-gate';
import type { Logger } from '../logger';
import { guardRow, Loop } from '../loop';
import { Progress } from '../progress';
import { withJobId } from '../request-context';
import { inSpan } from '../tracing/tracer';
import { claimRows, type ClaimedRow, giveBack, recordFailure } from './claim-rows.sql';
import type { RowJob } from './row-job';

/** Rows that a process works on at the same time: each takes one of its 12 connections. */
const PLACES = 4;

/** Places for one tenant, so that its rows which wait for a lock leave a place to other tenants. */
const PLACES_PER_TENANT = 3;

/** How long an attempt may take, in milliseconds: a call of a third party and several statements, each at its limit. */
const LONGEST_ATTEMPT_MS = 120_000;

/** How often rows are looked for without a wake-up, such as those of a killed process. */
const POLL_MS = 1_000;

interface Parts {
  service: QueueName;
  db: Database;
  /** Shut while this process takes no jobs. */
  gate: Pick<WorkerGate, 'isShut'>;
  log: Logger;
}

/**
 * Does the work of rows, some at the same time and those of all tenants in turn. No row waits for
 * another one: the loop claims what there are places for, starts it, and goes on. A row that fails is
 * tried eight times within a minute and is then a dead letter.
 */
export class RowWorker {
  readonly loop: Loop;
  private readonly running = new Set<Promise<void>>();
  private readonly progress: Progress;
  /** Rows in work, by their tenant. */
  private readonly busy = new Map<string, number>();
  /** Rows whose attempt an outage of the database ended. */
  private interrupted: ClaimedRow[] = [];
  /** Whether the last claim may have left due rows for which there was no place. */
  private mayBeMore = false;

  /** @param work does the work of a row, once, however often it is called */
  constructor(
    private readonly parts: Parts,
    private readonly job: RowJob,
    private readonly work: (id: string) => Promise<void>,
  ) {
    announceJob(parts.service, job.type);
    this.progress = new Progress('worker', job.type, LONGEST_ATTEMPT_MS);
    const round = (): Promise<void> => this.round();
    this.loop = new Loop(parts.log, { name: job.loop, everyMs: POLL_MS, round });
  }

  /** Call it after a commit that left work of a tenant; the poll would find the row later. */
  wake(tenant: string): void {
    // Otherwise a place that is free again looks for more, and a look would find no place now.
    const hasPlace = this.running.size < PLACES && this.countOf(tenant) < PLACES_PER_TENANT;
    if (hasPlace) this.loop.wake();
    else this.mayBeMore = true;
  }

  /** Waits for the rows in work. Call it when the loop has stopped. */
  async close(): Promise<void> {
    await Promise.all(this.running);
  }

  /** One round: claims what there are places for, and starts it. */
  private async round(): Promise<void> {
    const { db, gate } = this.parts;
    if (gate.isShut) return;
    const { interrupted } = this;
    if (interrupted.length > 0) {
      await giveBack(db, this.job, interrupted);
      // Others may have been added meanwhile.
      this.interrupted = this.interrupted.filter((row) => !interrupted.includes(row));
    }
    const free = PLACES - this.running.size;
    this.mayBeMore = free === 0;
    if (free === 0) return;
    const busy = new Map(this.busy);
    const claimed = await claimRows(db, this.job, { free, perTenant: PLACES_PER_TENANT, busy });
    for (const row of claimed) {
      busy.set(row.tenant, (busy.get(row.tenant) ?? 0) + 1);
      this.start(row);
    }
    const isFull = [...busy.values()].some((rows) => rows >= PLACES_PER_TENANT);
    this.mayBeMore = isFull || claimed.length === free;
  }

  private start(row: ClaimedRow): void {
    const { log, service } = this.parts;
    if (row.isDead) {
      countJob(service, this.job.type, 'failed');
      this.logDeath(row);
      return;
    }
    this.count(row.tenant, 1);
    this.progress.began();
    const attempt: Promise<void> = this.attempt(row)
      .catch((error: unknown) => log.error({ err: error, jobId: row.id }, 'attempt not stored'))
      .finally(() => {
        this.count(row.tenant, -1);
        this.progress.ended();
        this.running.delete(attempt);
        if (this.mayBeMore) this.loop.wake();
      });
    this.running.add(attempt);
  }

  private count(tenant: string, change: 1 | -1): void {
    const rows = this.countOf(tenant) + change;
    if (rows === 0) this.busy.delete(tenant);
    else this.busy.set(tenant, rows);
  }

  private countOf(tenant: string): number {
    return this.busy.get(tenant) ?? 0;
  }

  /** One attempt, with the ids and in the trace of the request that left the work. */
  private attempt(row: ClaimedRow): Promise<void> {
    const attributes = { 'messaging.message.id': row.id, 'fiado.attempt': row.attempts };
    const parent = row.traceparent;
    return withJobId(row, () =>
      inSpan(`process ${this.job.type}`, { kind: 'consumer', parent, attributes }, () =>
        this.guarded(row),
      ),
    );
  }

  private async guarded(row: ClaimedRow): Promise<void> {
    const { db, log, service } = this.parts;
    const { type: jobType, loop } = this.job;
    const startedAt = performance.now();
    let isDead = false;
    try {
      const names = { log, jobType, attempt: row.attempts };
      const isDone = await guardRow(loop, names, () =>
        this.work(row.id).catch(async (error: unknown) => {
          if (!isDatabaseUnavailable(error)) isDead = await recordFailure(db, this.job, row, error);
          throw error;
        }),
      );
      if (isDone) log.info({ jobType, ms: Math.round(performance.now() - startedAt) }, 'job done');
      if (isDead) this.logDeath(row);
      countJob(service, jobType, isDone ? 'done' : isDead ? 'failed' : 'retried');
    } catch (error) {
      countJob(service, jobType, 'put-back');
      log.warn({ err: error, jobType }, 'row given back until the database is available');
      this.interrupted = [...this.interrupted, row];
    }
  }

  private logDeath({ id: jobId }: ClaimedRow): void {
    this.parts.log.error({ jobId, jobType: this.job.type }, 'dead letter found');
  }
}
