import { request } from 'node:http';
import { text } from 'node:stream/consumers';

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

interface LocalRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/**
 * Sends a request to a process on this machine. Without `fetch`, which takes 17 MB of memory and
 * more than twice the CPU time while the services need both cores to start.
 * @throws Error when the process does not answer, or when the signal aborts
 */
export async function sendRequest(
  url: string,
  { method = 'GET', headers = {}, body, signal }: LocalRequest,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal, agent: false }, (response) => {
      text(response).then(
        (received) => resolve({ status: response.statusCode ?? 0, text: received }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
