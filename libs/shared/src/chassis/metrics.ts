import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client';
import { buildVersion } from './build-version';

collectDefaultMetrics();

const requestDuration = new Histogram({
  name: 'fiado_http_request_duration_seconds',
  help: 'Duration of HTTP requests by route pattern and status',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

const build = new Gauge({
  name: 'fiado_build_info',
  help: 'Always 1: which service this process is, in which version, on which Node',
  labelNames: ['service', 'version', 'node'] as const,
});

const ready = new Gauge({
  name: 'fiado_ready',
  help: 'Whether the process is ready for requests, as /health/ready says it: 1 or 0',
});

const readinessChecks = new Gauge({
  name: 'fiado_readiness_check_ok',
  help: 'Whether each thing holds that a ready process needs: 1 or 0',
  labelNames: ['check'] as const,
});

const loopRounds = new Counter({
  name: 'fiado_loop_rounds_total',
  help: 'Rounds of what a process does by the clock, by what came of them: done or failed',
  labelNames: ['loop', 'outcome'] as const,
});

const loopLastDone = new Gauge({
  name: 'fiado_loop_last_done_timestamp_seconds',
  help: 'When a round of what a process does by the clock last ended well; 0 before the first',
  labelNames: ['loop'] as const,
});

const loopFailedRows = new Counter({
  name: 'fiado_loop_rows_failed_total',
  help: 'Rows that failed in a round of a loop, which went on without them',
  labelNames: ['loop'] as const,
});

const clockSkew = new Gauge({
  name: 'fiado_clock_skew_seconds',
  help: 'How far the clock of the process is ahead of the database; negative when it is behind',
  labelNames: ['service'] as const,
});

export function recordClockSkew(service: string, seconds: number): void {
  clockSkew.set({ service }, seconds);
}

export function recordReadiness(isReady: boolean, checks: Record<string, 'ok' | 'failed'>): void {
  ready.set(isReady ? 1 : 0);
  for (const [check, outcome] of Object.entries(checks)) {
    readinessChecks.set({ check }, outcome === 'ok' ? 1 : 0);
  }
}

/** Says which service this process is. */
export function recordBuild(service: string): void {
  build.set({ service, version: buildVersion(), node: process.versions.node }, 1);
}

/** Makes a loop's metrics known before its first round. */
export function announceLoop(loop: string): void {
  loopLastDone.set({ loop }, 0);
  for (const outcome of ['done', 'failed']) loopRounds.inc({ loop, outcome }, 0);
  loopFailedRows.inc({ loop }, 0);
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
 * A counter of a service's own.
 * @param known label values that are told from the start, as 0: a rate needs a value before
 * @returns what counts one or several, by their labels
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

/** A gauge of a service's own. @returns what sets it, by its labels */
export function createGauge<Label extends string>(
  name: `fiado_${string}`,
  help: string,
  labelNames: Label[],
): (labels: Record<Label, string>, value: number) => void {
  const gauge = new Gauge({ name, help, labelNames });
  return (labels, value) => gauge.set(labels, value);
}

/** A gauge that is read anew at each look. */
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
    collect: () => read((labels, value) => gauge.set(labels, value)),
  });
}

/** Every metric of this process in Prometheus' text format. */
export function metricsText(): Promise<string> {
  return register.metrics();
}
