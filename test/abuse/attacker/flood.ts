import { setTimeout as sleep } from 'node:timers/promises';

/** How often requests are started: many at a time where more are wanted in a second. */
const TICK_MS = 10;

/**
 * Requests of an attack that wait for their answer at the same time. A machine that is too slow for
 * the rate is then slowed by the attack, and not by a queue of the attack's own making.
 */
const MAX_IN_FLIGHT = 30;

export interface Rate {
  perSecond: number;
  durationMs: number;
}

/**
 * Starts requests at a steady rate for a time, and then awaits the answers.
 * @param send starts one request; rejects when there is no answer
 * @returns how many requests had each outcome: a status with its error code, or `no answer`
 */
export async function flood(
  { perSecond, durationMs }: Rate,
  send: () => Promise<{ status: number; body: unknown }>,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  const inFlight = new Set<Promise<void>>();
  const start = (): void => {
    const request = send()
      .then(outcomeOf, () => 'no answer')
      .then((outcome) => {
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        inFlight.delete(request);
      });
    inFlight.add(request);
  };
  const startedAt = performance.now();
  for (let last = startedAt, due = 0; last - startedAt < durationMs;) {
    await sleep(TICK_MS);
    const now = performance.now();
    // Requests that could not be started in time are skipped, so that the rate is never exceeded to
    // catch up.
    due = Math.min((due % 1) + ((now - last) / 1000) * perSecond, MAX_IN_FLIGHT);
    last = now;
    for (; due >= 1 && inFlight.size < MAX_IN_FLIGHT; due -= 1) start();
  }
  await Promise.all(inFlight);
  return outcomes;
}

/** Such as `201`, `400`, or `429 RATE_LIMIT_EXCEEDED`. */
export function outcomeOf({ status, body }: { status: number; body: unknown }): string {
  const { errorCode } = (body ?? {}) as { errorCode?: string };
  return errorCode === undefined ? String(status) : `${status} ${errorCode}`;
}
