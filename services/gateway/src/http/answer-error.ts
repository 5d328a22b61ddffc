import type { ServerResponse } from 'node:http';
import { defaultErrorShape } from '@fiado/shared/chassis/http/error-middleware';
import type { AppError } from '@fiado/shared/contracts/errors';

/** What a caller is told to wait when a part cannot be reached: longer than a restart takes. */
const RETRY_AFTER_SECONDS = 2;

/** An error as status, headers (names and values in turn) and JSON body. */
export function presentError(
  error: AppError,
  requestId: string,
): { headers: string[]; body: string } {
  const body = JSON.stringify(defaultErrorShape(error));
  const headers = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'X-Request-Id',
    requestId,
  ];
  if (error.status === 401) headers.push('WWW-Authenticate', 'Bearer realm="fiado"');
  const retryAfter =
    error.retryAfterSeconds ?? (error.status === 503 ? RETRY_AFTER_SECONDS : undefined);
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter));
  return { headers, body };
}

/** Answers an error of the gateway itself, unless there is nobody left to answer. */
export function answerError(res: ServerResponse, error: AppError, requestId: string): void {
  if (res.headersSent || res.closed) return;
  const { headers, body } = presentError(error, requestId);
  res.writeHead(error.status, headers);
  res.end(body);
}
