import { Counter, Gauge } from 'prom-client';

const LABELS = ['upstream', 'use'] as const;

const breakerOpen = new Gauge({
  name: 'fiado_breaker_open',
  help: '1 while calls to a service that does not answer are refused at once, else 0',
  labelNames: LABELS,
});

const breakerOpenings = new Counter({
  name: 'fiado_breaker_openings_total',
  help: 'How often a circuit breaker opened because a service did not answer',
  labelNames: LABELS,
});

/** @param labels which service is called, and what for */
export function recordBreaker(
  labels: Record<(typeof LABELS)[number], string>,
  state: 'open' | 'closed',
): void {
  breakerOpen.set(labels, state === 'open' ? 1 : 0);
  breakerOpenings.inc(labels, state === 'open' ? 1 : 0);
}
