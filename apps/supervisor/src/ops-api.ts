import { sendRequest } from './send-request';

const REQUEST_TIMEOUT_MS = 10_000;

/** The lender's own API, as the ops key may use it. */
export interface OpsApi {
  post<T>(path: string, body?: unknown): Promise<T>;
}

/** A client of `/v1/admin` that carries the ops key. */
export function createOpsApi(baseUrl: string, opsKey: string, signal: AbortSignal): OpsApi {
  return {
    async post<T>(path: string, body: unknown = {}): Promise<T> {
      const { status, text } = await sendRequest(`${baseUrl}/v1/admin${path}`, {
        method: 'POST',
        headers: { authorization: opsKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      // The path names what failed; an answer may hold a key, so it is not quoted.
      if (status < 200 || status > 299) {
        throw new Error(`POST /v1/admin${path} answered ${status}`);
      }
      return JSON.parse(text) as T;
    },
  };
}

/** Whether this key is still known: the database may be another one than the key was made in. */
export async function isKeyKnown(baseUrl: string, key: string, path: string): Promise<boolean> {
  const { status } = await sendRequest(`${baseUrl}${path}`, {
    headers: { authorization: key },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  return status !== 401;
}
