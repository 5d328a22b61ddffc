import { Fiado } from '../../src/fiado';
import type { Fetch, FetchInit, FiadoOptions } from '../../src/settings';

/** An answer as a test writes it; an Error is thrown, as by a connection that broke. */
export type Scripted =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | Error
  | 'hangs';

interface Sent extends FetchInit {
  url: string;
}

export const TEST_KEY = 'fiado_test_secret';

/** A client whose requests are answered from a list, with what it sent. */
export function scripted(answers: Scripted[], options: Partial<FiadoOptions> = {}) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url, ...init });
    const answer = answers.shift();
    if (answer === undefined) throw new Error('the test has no more answers');
    if (answer instanceof Error) throw answer;
    if (answer === 'hangs') {
      const signal = init.signal as AbortSignal;
      return new Promise((_, refuse) =>
        signal.addEventListener('abort', () => refuse(new Error('aborted'))),
      );
    }
    const { status, body, headers = {} } = answer;
    return {
      status,
      headers: { get: (name) => headers[name] ?? null },
      text: () =>
        Promise.resolve(
          body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body),
        ),
    };
  };
  return { fiado: new Fiado({ apiKey: TEST_KEY, fetch, ...options }), sent };
}

/** As Node's fetch fails. */
export function cut(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

/** The failure of a promise. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
