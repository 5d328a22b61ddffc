import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client';
import { buildVersion } from './build-version';

/**
 * How often the delay of the event loop is taken, in milliseconds. It is part of each value: an
 * idle loop shows 0.1 s. Measured: each 10 ms, the default, takes 0.45 % of a core of an idle
 * process, this 0.06 %.
 */
const EVENT_LOOP_PRECISION_MS = 100;

collectDefaultMetrics({ eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });

const requestDuration = new Histogram({
  name: 'fiado_http_request_duration_seconds',
  help: 'Duration of HTTP requests by route pattern and status',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

const build = new Gauge({
  name: 'fiado_build_info',
  help: 'Always 1; its labels are the service, its version and the version of Node',
  labelNames: ['service', 'version', 'node'] as const,
});

const ready = new Gauge({
  name: 'fiado_ready',
  help: 'Whether the process is ready for requests, as in /health/ready: 1 or 0',
});

const healthChecks = new Gauge({
  name: 'fiado_health_check_ok',
  help: 'Whether each health check passes: 1 or 0; queues and worker do not affect readiness',
  labelNames: ['check'] as const,
});

const loopRounds = new Counter({
  name: 'fiado_loop_rounds_total',
  help: 'Loop iterations, by outcome: done or failed',
  labelNames: ['loop', 'outcome'] as const,
});

const loopLastDone = new Gauge({
  name: 'fiado_loop_last_done_timestamp_seconds',
  help: 'Time of the last successful loop iteration; 0 before the first',
  labelNames: ['loop'] as const,
});

const loopInterval = new Gauge({
  name: 'fiado_loop_interval_seconds',
  help: 'Longest pause between two iterations of a loop',
  labelNames: ['loop'] as const,
});

const loopFailedRows = new Counter({
  name: 'fiado_loop_rows_failed_total',
  help: 'Rows that failed in a loop, which continued without them',
  labelNames: ['loop'] as const,
});

const clockSkew = new Gauge({
  name: 'fiado_clock_skew_seconds',
  help: 'How far the clock of the process is ahead of the database’s; negative if it is behind',
  labelNames: ['service'] as const,
});

export function recordClockSkew(service: string, seconds: number): void {
  clockSkew.set({ service }, seconds);
}

export function recordHealth(isReady: boolean, checks: Record<string, 'ok' | 'failed'>): void {
  ready.set(isReady ? 1 : 0);
  for (const [check, outcome] of Object.entries(checks)) {
    healthChecks.set({ check }, outcome === 'ok' ? 1 : 0);
  }
}

/** Says which service this process is. */
export function recordBuild(service: string): void {
  build.set({ service, version: buildVersion(), node: process.versions.node }, 1);
}

/** Makes a loop's metrics known before its first round. */
export function announceLoop(loop: string, everyMs: number): void {
  loopInterval.set({ loop }, everyMs / 1_000);
  loopLastDone.set({ loop }, 0);
  for (const outcome of ['done', 'failed']) loopRounds.inc({ loop, outcome }, 0);
  loopFailedRows.inc({ loop }, 0);
}

/** A loop that has ended misses no iteration. */
export function forgetLoop(loop: string): void {
  loopInterval.remove({ loop });
}

export function countFailedRow(loop: string): void {
  loopFailedRows.inc({ loop });
}

export function countRound(loop: string, outcome: 'done' | 'failed'): void {
  loopRounds.inc({ loop, outcome });
  if (outcome === 'done') loopLastDone.setToCurrentTime({ loop });
}

export function observeRequest(
  method: string,
  route: string,
  status: number,
  durationSeconds: number,
): void {
  requestDuration.observe({ method, route, status: String(status) }, durationSeconds);
}

/**
 * A counter of one service.
 * @param known label values that are exported from the start, as 0: a rate needs a value before
 * @returns a function that counts one or several for labels
 */
export function createCounter<Label extends string>(
  name: `fiado_${string}_total`,
  help: string,
  labelNames: Label[],
  known: Array<Record<Label, string>> = [],
): (labels: Record<Label, string>, count?: number) => void {
  const counter = new Counter({ name, help, labelNames });
  for (const labels of known) counter.inc(labels, 0);
  return (labels, count = 1) => counter.inc(labels, count);
}

/** One value of a gauge, as a sample has read it. */
export interface Reading {
  /** Exports the value. */
  record(): void;
  /** Stops exporting a value with these labels. */
  forget(): void;
}

/** A gauge that a sample sets (sampler.ts). @returns a function that makes a reading for labels */
export function createGauge<Label extends string>(
  name: `fiado_${string}`,
  help: string,
  labelNames: Label[],
): (labels: Record<Label, string>, value: number) => Reading {
  const gauge: Gauge<Label> = new Gauge({ name, help, labelNames });
  // prom-client exports a gauge without labels as 0 before anyone has read it.
  if (labelNames.length === 0) gauge.remove();
  return (labels, value) => ({
    record: () => gauge.set(labels, value),
    forget: () => gauge.remove(labels),
  });
}

/** A gauge that is read at each scrape. */
export function createLiveGauge<Label extends string>(
  name: `fiado_${string}`,
  help: string,
  labelNames: Label[],
  read: (set: (labels: Record<Label, string>, value: number) => void) => void,
): void {
  const gauge: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames,
    collect: () => {
      gauge.reset();
      read((labels, value) => gauge.set(labels, value));
    },
  });
}

/** Every metric of this process in Prometheus' text format. */
export function metricsText(): Promise<string> {
  return register.metrics();
}
