import { setTimeout as pause } from 'node:timers/promises';

import { localUrl, type SupervisorConfig } from './config';
import { SERVICES } from './services';
import { StartupError } from './startup-error';

/** A start takes about 2 s; a slow machine under load many times that. */
export const READY_TIMEOUT_MS = 30_000;

const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;

/** Waits until every service says that it is ready, or names those that do not. */
export async function waitUntilReady(
  config: SupervisorConfig,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const answers = await Promise.all(
    SERVICES.map(async ({ name, portVariable }) => {
      const url = `${localUrl(config.HOST, config[portVariable])}/health/ready`;
      while (Date.now() < deadline) {
        if (await isReady(url, signal)) return [];
        await pause(POLL_MS, undefined, { signal });
      }
      return [name];
    }),
  );
  const missing = answers.flat();
  if (missing.length > 0) {
    throw new StartupError(`not ready within ${timeoutMs / 1000} s: ${missing.join(', ')}`);
  }
}

async function isReady(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
    const response = await fetch(url, { signal: limit });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false; // not listening yet
  }
}
