import { type Caller, INTERNAL_TOKEN_HEADER } from '@fiado/contracts/caller';
import type { ProcessName } from '@fiado/contracts/process-names';
import { testTokens } from './process-keys';

export interface Answer {
  status: number;
  /** The parsed JSON, as loose as JSON.parse leaves it; undefined for any other body. */
  body: ReturnType<typeof JSON.parse>;
  text: string;
  headers: Headers;
}

/** One HTTP request: an object goes as JSON, a string or bytes as they are. */
export async function send(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    text,
    body: isJson ? JSON.parse(text) : undefined,
    headers: response.headers,
  };
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** A request as that caller; the body is sent as JSON, a string or bytes as they are. */
export type Call = (
  caller: Caller | undefined,
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Answer>;

/** Calls a service at that base URL. */
export function callTo(service: ProcessName, base: string): Call {
  return async (caller, method, path, { body, headers = {} } = {}) =>
    send(`${base}${path}`, method, body, {
      ...(caller === undefined ? {} : await tokenHeader(service, caller)),
      ...headers,
    });
}

/** On a busy machine a request may wait for others for longer than its deadline: then it is 503, and nothing happened. */
const MOST_TRIES = 20;

/** The answer to a request of a set-up, made again while it is 503. */
export async function unlessBusy(ask: () => Promise<Answer>): Promise<Answer> {
  let answer = await ask();
  for (let tries = 1; answer.status === 503 && tries < MOST_TRIES; tries += 1) answer = await ask();
  return answer;
}

/** The header of a call that the caller makes through the gateway, or a service. */
export async function tokenHeader(
  receiver: ProcessName,
  caller: Caller,
): Promise<Record<string, string>> {
  const token =
    caller.kind === 'service'
      ? testTokens(caller.id as ProcessName).sign(receiver)
      : testTokens('gateway').sign(receiver, caller);
  return { [INTERNAL_TOKEN_HEADER]: await token };
}
