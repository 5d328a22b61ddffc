import { request } from 'node:http';
import { text } from 'node:stream/consumers';

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
