import { setTimeout as pause } from 'node:timers/promises';
import type { SupervisorConfig } from './config';
import { sendRequest } from './ops-api';
import { StartupError, type Say } from './say';
import { localUrl } from './service-environment';
import { START_TIMEOUT_MS } from './service-process';
import { SERVICES } from './services';

/** Time for a second attempt of a process that was late. A start takes about 2 s; on a slow laptop under load 58 s. */
const READY_TIMEOUT_MS = 2 * START_TIMEOUT_MS;

/** If all services answer and the same checks fail for this long, they will not become ready. */
const STALLED_AFTER_MS = 30_000;

/** How often the start prints what it waits for. */
const NOTICE_EVERY_MS = 5_000;

const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;

/** A service that does not answer yet: its program is being loaded. */
const LOADING = 'not listening yet';

export interface Waiting {
  config: SupervisorConfig;
  /** Whether the process of a service listens or has ended. Before that it is not asked, which would slow its start. */
  hasStarted: (name: string) => boolean;
  say: Say;
  timeoutMs?: number | undefined;
  stalledAfterMs?: number;
  noticeEveryMs?: number;
}

/**
 * Waits until every service is ready. Prints a line for each that is, and from time to time which
 * ones are not, and why.
 * @throws StartupError naming them, after the time-out or when nothing changes any more
 */
export async function waitUntilReady(waiting: Waiting, signal: AbortSignal): Promise<void> {
  const { say, timeoutMs = READY_TIMEOUT_MS } = waiting;
  const { stalledAfterMs = STALLED_AFTER_MS, noticeEveryMs = NOTICE_EVERY_MS } = waiting;
  const startedAt = performance.now();
  let noticeAt = startedAt + noticeEveryMs;
  let changedAt = startedAt;
  let before = '';
  const announced = new Set<string>();

  for (;;) {
    const missing = await findMissing(waiting, signal);
    for (const { name, portVariable } of SERVICES) {
      if (announced.has(name) || missing.some((one) => one.name === name)) continue;
      announced.add(name);
      say(`${name.padEnd(13)} ready on port ${waiting.config[portVariable]}`);
    }
    if (missing.length === 0) return;

    const text = missing.map(({ name, why }) => `${name} (${why})`).join(', ');
    const now = performance.now();
    if (text !== before || missing.some(({ why }) => why === LOADING)) changedAt = now;
    before = text;
    if (now - startedAt >= timeoutMs) {
      throw new StartupError(`not ready within ${timeoutMs / 1000} s: ${text}`);
    }
    if (now - changedAt >= stalledAfterMs) {
      const seconds = stalledAfterMs / 1000;
      throw new StartupError(`not ready, and nothing changed for ${seconds} s: ${text}`);
    }
    if (now >= noticeAt) {
      say(`waiting for ${text}`);
      noticeAt = now + noticeEveryMs;
    }
    await pause(POLL_MS, undefined, { signal });
  }
}

interface Missing {
  name: string;
  why: string;
}

async function findMissing(
  { config, hasStarted }: Waiting,
  signal: AbortSignal,
): Promise<Missing[]> {
  const found = await Promise.all(
    SERVICES.map(async ({ name, hostVariable, portVariable }) => {
      if (!hasStarted(name)) return [{ name, why: LOADING }];
      const url = `${localUrl(config[hostVariable], config[portVariable])}/health/ready`;
      const why = await reasonOf(url, signal);
      return why === undefined ? [] : [{ name, why }];
    }),
  );
  return found.flat();
}

/** Why a service is not ready; undefined when it is. */
async function reasonOf(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
    const { status, text } = await sendRequest(url, { signal: limit });
    return status === 200 ? undefined : failedChecks(text);
  } catch {
    return LOADING;
  }
}

/** The checks that fail, by name, of an answer of /health/ready. */
function failedChecks(text: string): string {
  try {
    const { checks = {} } = JSON.parse(text) as { checks?: Record<string, string> };
    const failed = Object.keys(checks).filter((name) => checks[name] !== 'ok');
    return failed.length === 0 ? 'not ready' : `${failed.join(', ')} not ready`;
  } catch {
    return 'not ready';
  }
}
