import { FiadoError, type Refusal } from './errors';
import type { FetchResponse } from './settings';

/** A successful answer. */
export interface Answer {
  status: number;
  requestId: string | undefined;
  body: unknown;
}

type Json = Record<string, unknown>;

/**
 * Reads the answer to a request.
 * @throws FiadoError for a refusal, in any of its three forms, and for what is no answer of Fiado
 */
export function readAnswer(operation: string, response: FetchResponse, text: string): Answer {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const json = parsed(text);
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && text === '') return { status, requestId, body: undefined };
  if (isSuccess && json !== undefined) return { status, requestId, body: json };
  throw new FiadoError({
    operation,
    status,
    requestId,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
    replayed: headers.get('idempotent-replayed') === 'true',
    ...refusalIn(json),
  });
}

function refusalIn(
  json: Json | undefined,
): Pick<Refusal, 'code' | 'message' | 'problems' | 'details'> {
  const { errorCode, errorMessage, ...details } = json ?? {};
  if (typeof errorCode === 'string') {
    return { code: errorCode, message: String(errorMessage), details };
  }
  const { code, message } = details;
  if (typeof code === 'string') return { code, message: String(message) };
  if (Array.isArray(message)) {
    const text = 'the request is not valid';
    return { code: 'VALIDATION_FAILED', message: text, problems: message.map(String) };
  }
  return { code: 'UNEXPECTED_ANSWER', message: 'this is no answer of Fiado; check baseUrl' };
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : undefined;
}
