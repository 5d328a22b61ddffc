import type { Answer } from './answer';
import { attempt, throwIfAborted, type Outgoing } from './attempt';
import type { Credentials } from './credentials';
import { FiadoError } from './errors';
import type { RequestOptions, Settings, Signal } from './settings';

/** Statuses after which the same request may succeed: busy, too many requests, service away. */
const PASSING_STATUSES = new Set([408, 429, 502, 503, 504]);

/** Pause before the first retry if the API names none; it doubles with each. */
const FIRST_PAUSE_MS = 500;

const MAX_PAUSE_MS = 30_000;

/** The parts that a call is sent with. */
export interface Transport {
  settings: Settings;
  credentials: Credentials;
}

/**
 * Sends a request, again where that may help: the same bytes with the same Idempotency-Key, so it
 * takes effect once.
 * @returns the body of the answer
 * @throws FiadoError, FiadoConnectionError or FiadoTimeoutError of the last attempt
 */
export async function send(
  { settings, credentials }: Transport,
  request: Outgoing,
  options: RequestOptions,
): Promise<unknown> {
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
  const maxRetries = options.maxRetries ?? settings.maxRetries;
  const giveUpAt = Date.now() + (options.deadlineMs ?? settings.deadlineMs);
  let mayRenew = true;

  for (let number = 1; ; number += 1) {
    const startedAt = Date.now();
    const authorization = await credentials.header();
    const signed = { ...request, headers: { ...request.headers, authorization } };
    const timeout = Math.max(Math.min(timeoutMs, giveUpAt - Date.now()), 1);
    const outcome = await attempt(settings, signed, timeout).catch((error: unknown) => ({ error }));
    const failure = 'error' in outcome ? outcome.error : undefined;

    let pauseMs = failure === undefined ? undefined : pauseAfter(failure, number, request.once);
    if (number > maxRetries || Date.now() + (pauseMs ?? 0) >= giveUpAt) pauseMs = undefined;
    if (failure instanceof FiadoError && failure.status === 401 && mayRenew) {
      mayRenew = false;
      if (credentials.refused(authorization)) pauseMs = 0;
    }
    if (request.signal?.aborted === true) pauseMs = undefined;
    settings.onAttempt?.({
      operation: request.operation,
      number,
      status: statusOf(outcome),
      requestId: requestIdOf(outcome),
      durationMs: Date.now() - startedAt,
      retryInMs: pauseMs,
    });
    if (!('error' in outcome)) return outcome.body;
    if (request.method === 'DELETE' && number > 1 && statusOf(outcome) === 404) return undefined;
    if (pauseMs === undefined) throw failure;
    await pause(pauseMs, request.signal);
  }
}

type Outcome = Answer | { error: unknown };

function statusOf(outcome: Outcome): number | undefined {
  if (!('error' in outcome)) return outcome.status;
  return outcome.error instanceof FiadoError ? outcome.error.status : undefined;
}

function requestIdOf(outcome: Outcome): string | undefined {
  if (!('error' in outcome)) return outcome.requestId;
  return outcome.error instanceof FiadoError ? outcome.error.requestId : undefined;
}

/** Waits; ends early if the caller's signal is aborted. */
export async function pause(ms: number, signal: Signal | undefined): Promise<void> {
  await new Promise<void>((done) => {
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      done();
    }
  });
  throwIfAborted(signal);
}

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
