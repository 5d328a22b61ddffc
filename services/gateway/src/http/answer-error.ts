import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerAndClose } from '@fiado/chassis/http/answer-and-close';
import { defaultErrorShape, type AppError } from '@fiado/contracts/errors';

/** Retry-After when a service is unavailable, in seconds: longer than a restart takes. */
const RETRY_AFTER_SECONDS = 2;

/**
 * The rest of a refused body up to this length (bytes) is read and dropped, and the connection
 * continues. A longer rest is not read: at the rate of one caller, that would use most of a core.
 */
const MAX_DISCARDED_LENGTH = 65_536;

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
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'X-Request-Id',
    requestId,
  ];
  if (error.status === 401) headers.push('WWW-Authenticate', 'Bearer realm="fiado"');
  const retryAfter =
    error.retryAfterSeconds ?? (error.status === 503 ? RETRY_AFTER_SECONDS : undefined);
  if (retryAfter !== undefined) headers.push('Retry-After', String(retryAfter));
  return { headers, body };
}

/** Answers an error of the gateway itself, unless the caller has disconnected. */
export function answerError(res: ServerResponse, error: AppError, requestId: string): void {
  if (res.headersSent || res.closed) return;
  const { headers, body } = presentError(error, requestId);
  if (!hasLongRest(res.req)) {
    res.writeHead(error.status, headers);
    res.end(body);
    return;
  }
  answerAndClose(res, error.status, { headers, body });
}

/** Whether the rest of a body is too long to be read and dropped, or of unknown length. */
export function hasLongRest(req: IncomingMessage): boolean {
  if (req.complete) return false;
  const { 'transfer-encoding': encoding, 'content-length': length = 0 } = req.headers;
  return encoding !== undefined || Number(length) > MAX_DISCARDED_LENGTH;
}
