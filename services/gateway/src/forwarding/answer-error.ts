import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerAndClose, isClosing } from '@fiado/chassis/http/answer-and-close';
import { AppError, defaultErrorShape, type ErrorCode } from '@fiado/contracts/errors';

/** Retry-After when a service is unavailable, in seconds: longer than a restart takes. */
const RETRY_AFTER_SECONDS = 2;
/**
 * The rest of a refused body up to this length (bytes) is read and dropped, and the connection
 * continues. A longer rest is not read: at the rate of one caller, that would use most of a core.
 */
const MAX_DISCARDED_LENGTH = 65_536;

/** A request from outside and its answer. */
export interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  /**
   * RateLimit-*, names and values in turn, once the request is counted. Not set on the response: Node
   * would take each header of the answer one by one then.
   */
  rateHeaders: string[];
}

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
export function answerError({ req, res, requestId, rateHeaders }: Exchange, error: AppError): void {
  if (res.headersSent || res.closed) return;
  const presented = presentError(error, requestId);
  const headers = rateHeaders.concat(presented.headers);
  const { body } = presented;
  if (!hasLongRest(req)) {
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

/** Time for the sender to read the answer before the connection is cut. */
const LINGER_MS = 1_000;

const CODE_OF_FAILURE: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
};

/**
 * Answers requests that Node's parser refuses, or that arrive too slowly, with a JSON error, and
 * closes the connection.
 */
export function refuseMalformed(server: Server): void {
  const refused = new WeakSet<Duplex>();
  const lastResponse = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (req, res) => lastResponse.set(req.socket, res));

  server.on('clientError', (failure: NodeJS.ErrnoException, socket) => {
    // It follows a body that was refused. What was answered to that still has to leave.
    // The parser complains again about each piece that still arrives.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (isClosing(socket as Socket)) {
      socket.pause();
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
      return;
    }

    const res = lastResponse.get(socket);
    const midAnswer = res !== undefined && res.headersSent && !res.writableFinished;
    if (failure.code === 'ECONNRESET' || !socket.writable || midAnswer) {
      socket.destroy();
      return;
    }
    socket.end(rawAnswer(CODE_OF_FAILURE[failure.code ?? ''] ?? 'MALFORMED_REQUEST'));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

function rawAnswer(code: ErrorCode): string {
  const error = new AppError(code);
  const { headers, body } = presentError(error, randomUUID());
  const lines = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, 'Connection: close'];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
