import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from '@fiado/chassis/undici';
import { SmsError } from './sms-provider';

export interface Answer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Sends a request once. undici calls onRequestStart immediately before it writes a request to an established
 * connection: with TLS after the handshake, with a proxy through its tunnel. A request that fails
 * before was certainly not sent, whatever the error is.
 * @param timeoutMs for the whole answer
 * @throws SmsError without an answer
 */
export function sendOnce(
  connections: Dispatcher,
  options: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let started: Dispatcher.DispatchController | undefined;
    let isOver = false;
    let head: Omit<Answer, 'body'> = { statusCode: 0, headers: {} };
    const chunks: Buffer[] = [];
    const fail = (): void => {
      isOver = true;
      clearTimeout(timer);
      reject(new SmsError({ kind: started === undefined ? 'not-reached' : 'no-answer' }));
    };
    const timer = setTimeout(() => {
      fail();
      started?.abort(new Error('No answer in time'));
    }, timeoutMs);
    connections.dispatch(options, {
      onRequestStart: (controller) => {
        // undici would write the request a second time, or after its failure was reported. It drops a request whose
        // onRequestStart throws.
        if (isOver || started !== undefined) throw new Error('Not to be written');
        started = controller;
      },
      onResponseStart: (_controller, statusCode, headers) => {
        head = { statusCode, headers };
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => {
        clearTimeout(timer);
        resolve({ ...head, body: Buffer.concat(chunks).toString() });
      },
      onResponseError: fail,
    });
  });
}
