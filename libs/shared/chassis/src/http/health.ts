import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import { metricsText, recordHealth } from '../metrics';
import { TIMING } from '../timing';

/** Each throws when it fails. */
type Checks = Record<string, () => Promise<void>>;

export interface HealthChecks {
  /** Checks of what a process needs to serve requests: if one fails, it is not ready. */
  readiness: Checks;
  /** Checks that are only shown, and do not count for readiness. */
  reported?: Checks;
  /** How long each check may take; see Timing. */
  checkMs?: number;
}

export interface Health {
  /** GET /health/live and /health/ready. Live means that the event loop runs. */
  router: Router;
  /** GET /metrics, which may be served on another port. */
  metrics: Router;
  /** Makes the process not ready: the first step of a graceful stop. */
  stopping(): void;
}

/** Liveness, readiness and metrics of a process. */
export function createHealth({
  readiness,
  reported = {},
  checkMs = TIMING.check,
}: HealthChecks): Health {
  let stopping = false;

  async function look(): Promise<{ ready: boolean; results: Record<string, 'ok' | 'failed'> }> {
    const results = await Promise.all(
      Object.entries({ ...readiness, ...reported }).map(
        async ([name, check]) => [name, await outcomeOf(check, checkMs)] as const,
      ),
    );
    const ready =
      !stopping && results.every(([name, outcome]) => outcome === 'ok' || name in reported);
    return { ready, results: Object.fromEntries(results) };
  }

  const router = Router();
  router.get('/health/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/health/ready', async (_req, res) => {
    const { ready, results } = await look();
    res.status(ready ? 200 : 503).json({
      status: stopping ? 'stopping' : ready ? 'ok' : 'not ready',
      checks: results,
    });
  });
  const metrics = Router();
  metrics.get('/metrics', async (_req, res) => {
    const { ready, results } = await look();
    recordHealth(ready, results);
    res.type('text/plain; version=0.0.4').send(await metricsText());
  });
  return {
    router,
    metrics,
    stopping: () => {
      stopping = true;
    },
  };
}

async function outcomeOf(check: () => Promise<void>, checkMs: number): Promise<'ok' | 'failed'> {
  const timeout = sleep(checkMs, 'failed' as const, { ref: false });
  return Promise.race([
    check().then(
      () => 'ok' as const,
      () => 'failed' as const,
    ),
    timeout,
  ]);
}
