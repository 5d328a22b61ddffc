import { FiadoError } from './errors';

/** Statuses after which the same request may succeed: busy, too many requests, service away. */
const PASSING_STATUSES = new Set([408, 429, 502, 503, 504]);
/** Pause before the first retry if the API names none; it doubles with each. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/**
 * How long to wait before a request is repeated.
 * @param attempt number of the attempt that failed, from 1
 * @param once whether a second request would have a second effect; a 429 means that there was no first
 * @param random from 0 to 1: clients that failed together must not come back together
 * @returns milliseconds; undefined if repeating does not help
 */
export function pauseAfter(
  failure: unknown,
  attempt: number,
  once = false,
  random: () => number = Math.random,
): number | undefined {
  if (once && !(failure instanceof FiadoError && failure.status === 429)) return undefined;
  if (failure instanceof FiadoError) {
    const { status, retryAfterSeconds } = failure;
    const passes = PASSING_STATUSES.has(status) || failure.is('IDEMPOTENCY_CONFLICT');
    if (!passes) return undefined;
    if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000;
    // Without a time, a count is used up that time does not restore.
    if (failure.is('TOO_MANY_ATTEMPTS')) return undefined;
  }
  return random() * Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
}
