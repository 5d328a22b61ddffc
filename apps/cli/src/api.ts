import { setTimeout as pause } from 'node:timers/promises';
import { ApiRefusal, Unreachable, WrongAddress } from './errors';

/** Longer than the gateway's longest deadline, so that the client gets its answer. */
const REQUEST_TIMEOUT_MS = 130_000;
/** Delay before a retry if the answer names none; doubled with each attempt. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

/** Statuses of a gateway, ours or one in front of it, whose service is unavailable. */
const AWAY_STATUSES = new Set([502, 503, 504]);
/** Failures in which no byte of the request was sent. */
const NOT_SENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export interface ApiOptions {
  /** Without the version: http://127.0.0.1:3000. */
  baseUrl: string;
  key: string;
  /** How long a request is retried. */
  patienceMs: number;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface ApiRequest {
  query?: Record<string, string | number | undefined>;
  body?: object;
  /** A POST that is safe to repeat. All other methods are. */
  repeatable?: boolean;
}

/** The lender's own part of the API. */
export interface Api {
  /**
   * Calls `/v1/admin<path>`; waits and tries again where the API asks for it.
   * @throws ApiRefusal the API's error; Unreachable or WrongAddress
   */
  call<Answer>(method: Method, path: string, request?: ApiRequest): Promise<Answer>;
}

/**
 * A client of the API. A 429 is always retried. An unavailable service is retried if repeating is
 * safe and it has answered before: an address that never answered is wrong.
 */
export function createApi(options: ApiOptions): Api {
  let answeredOnce = false;

  return {
    async call<Answer>(method: Method, path: string, request: ApiRequest = {}): Promise<Answer> {
      const repeatable = request.repeatable ?? method !== 'POST';
      const giveUpAt = Date.now() + options.patienceMs;
      for (let tries = 1; ; tries += 1) {
        try {
          const response = await send(options, method, path, request);
          answeredOnce = true;
          return await answerOf<Answer>(response, options.baseUrl);
        } catch (error) {
          const waitMs = waitBefore(error, tries);
          const again = mayTryAgain(error, repeatable && answeredOnce);
          if (!again || Date.now() + waitMs > giveUpAt) throw explained(error, method);
          await pause(waitMs);
        }
      }
    },
  };
}

async function send(
  { baseUrl, key }: ApiOptions,
  method: Method,
  path: string,
  { query = {}, body }: ApiRequest,
): Promise<Response> {
  const url = new URL(`${baseUrl}/v1/admin${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  try {
    return await fetch(url, {
      method,
      headers: {
        authorization: key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The key is sent only to the given address.
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch (error) {
    const code = failureCode(error);
    throw new Unreachable(`${baseUrl} cannot be reached (${code})`, {
      mayHaveArrived: !NOT_SENT_CODES.has(code),
    });
  }
}

async function answerOf<Answer>(response: Response, baseUrl: string): Promise<Answer> {
  const text = await bodyOf(response, baseUrl);
  if (response.ok && text === '') return undefined as Answer;
  const answer = parsed(text);
  if (response.ok && answer !== undefined) return answer as Answer;
  if (AWAY_STATUSES.has(response.status)) {
    const retryAfterMs = retryAfterOf(response);
    throw new Unreachable(
      `${baseUrl} answers ${response.status}: ${textIn(answer?.['errorMessage'], 'it is unavailable')}`,
      { mayHaveArrived: true, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    );
  }
  throw refusalOf(response, answer, baseUrl);
}

async function bodyOf(response: Response, baseUrl: string): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    const text = `${baseUrl} ended its answer early (${failureCode(error)})`;
    throw new Unreachable(text, { mayHaveArrived: true });
  }
}

function refusalOf(
  response: Response,
  answer: Record<string, unknown> | undefined,
  baseUrl: string,
): Error {
  const details = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterOf(response),
  };
  if (typeof answer?.['errorCode'] === 'string') {
    const message = textIn(answer['errorMessage'], 'refused');
    return new ApiRefusal(message, { ...details, errorCode: answer['errorCode'] });
  }
  if (Array.isArray(answer?.['message'])) {
    const problems = answer['message'].map(String);
    return new ApiRefusal('The request is not valid', {
      ...details,
      errorCode: textIn(answer['error'], 'Bad Request'),
      problems,
    });
  }
  return new WrongAddress(`${baseUrl} answers ${response.status}, but it is not Fiado`);
}

function mayTryAgain(error: unknown, repeatable: boolean): boolean {
  // The rate limit refused it before it had any effect.
  if (error instanceof ApiRefusal) return error.details.status === 429;
  return error instanceof Unreachable && repeatable;
}

function waitBefore(error: unknown, tries: number): number {
  const wanted =
    error instanceof ApiRefusal
      ? error.details.retryAfterMs
      : error instanceof Unreachable
        ? error.retryAfterMs
        : undefined;
  return wanted ?? Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS);
}

function explained(error: unknown, method: Method): unknown {
  if (!(error instanceof Unreachable) || !error.mayHaveArrived || method === 'GET') return error;
  const text = `${error.message}; the request may have taken effect: check before you repeat it`;
  return new Unreachable(text, { mayHaveArrived: true });
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function textIn(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** ECONNREFUSED and the like: fetch hides it in the cause, a time-out in its name. */
export function failureCode(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? name ?? String(error);
}
