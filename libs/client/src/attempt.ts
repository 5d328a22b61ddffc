import { readAnswer, type Answer } from './answer';
import { FiadoConnectionError, FiadoTimeoutError } from './errors';
import type { Settings, Signal } from './settings';

/** A request as it is sent, each time with the same bytes. */
export interface Outgoing {
  operation: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  idempotencyKey: string | undefined;
  /** Whether a second request would have a second effect. */
  once: boolean;
  signal: Signal | undefined;
}

/**
 * Sends a request once.
 * @throws FiadoError, FiadoConnectionError, FiadoTimeoutError, or the reason of an aborted signal
 */
export async function attempt(
  settings: Settings,
  request: Outgoing,
  timeoutMs: number,
): Promise<Answer> {
  const { operation, method, url, headers, body, idempotencyKey, signal } = request;
  throwIfAborted(signal);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end);
  try {
    const response = await settings.fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      // The key goes to the given address only.
      redirect: 'manual',
      signal: ended.signal as never,
    });
    // The text counts too: a connection that is cut within it is no answer.
    const text = await response.text();
    return readAnswer(operation, response, text);
  } catch (error) {
    throwIfAborted(signal);
    if (ended.signal.aborted) {
      throw new FiadoTimeoutError(`${operation}: no answer in ${timeoutMs} ms`, idempotencyKey);
    }
    if (error instanceof Error && error.name === 'FiadoError') throw error;
    throw new FiadoConnectionError({ operation, url, idempotencyKey }, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Throws the reason of an aborted signal. Not every runtime has `signal.throwIfAborted`. */
export function throwIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted === true) throw signal.reason;
}
