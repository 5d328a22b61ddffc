import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import { metricsText, recordReadiness } from '../metrics';

/** A dependency that answers slower than this is as good as away. */
const CHECK_TIMEOUT_MS = 1_000;

/** What must hold for a process to be sent requests; each throws when it does not. */
export type ReadinessChecks = Record<string, () => Promise<void>>;

export interface Health {
  /** GET /health/live and /health/ready. Live means that the event loop turns. */
  router: Router;
  /** GET /metrics, which may be asked for elsewhere. */
  metrics: Router;
  /** From now on not ready: the first step of a graceful stop. */
  stopping(): void;
}

/** What a process says of itself to whoever runs it. */
export function createHealth(checks: ReadinessChecks): Health {
  let stopping = false;

  async function look(): Promise<{ ready: boolean; results: Record<string, 'ok' | 'failed'> }> {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await outcomeOf(check)] as const),
    );
    const ready = !stopping && results.every(([, outcome]) => outcome === 'ok');
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
    recordReadiness(ready, results);
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

async function outcomeOf(check: () => Promise<void>): Promise<'ok' | 'failed'> {
  const timeout = sleep(CHECK_TIMEOUT_MS, 'failed' as const, { ref: false });
  return Promise.race([
    check().then(
      () => 'ok' as const,
      () => 'failed' as const,
    ),
    timeout,
  ]);
}
