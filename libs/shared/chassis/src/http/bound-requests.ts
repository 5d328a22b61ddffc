import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DEFAULT_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { AppError } from '@fiado/contracts/errors';
import { answerAndClose, isClosing } from './answer-and-close';

/**
 * Longest body, in bytes, of a request that should have none, such as a GET: it is read, counted
 * and ignored.
 */
export const MAX_IGNORED_BODY_LENGTH = 16 * 1024;

/** How a server takes its requests. */
export interface Bounds {
  /** Longest body of this request, in bytes; undefined where `handle` counts it. */
  maxBodyLength: (req: IncomingMessage) => number | undefined;
  /** Answers with answerAndClose. JSON by default. */
  refuse?: (req: IncomingMessage, res: ServerResponse, error: AppError) => void;
  handle: RequestListener;
}

/**
 * Refuses a body that is longer than its route allows before anything else looks at the request,
 * and closes the connection, so that nobody can make a server read without an end. A length that is
 * not declared is counted: the request is handled when it has arrived as a whole.
 */
export function boundRequests(server: Server, { maxBodyLength, refuse, handle }: Bounds): void {
  const refuseWith = refuse ?? refuseInJson;
  // All headers count: beyond a number, Node would drop Content-Length and X-Forwarded-For. Their
  // size is limited.
  server.maxHeadersCount = 0;
  server.on('request', (req, res) => {
    if (isClosing(req.socket)) return;
    if (hasTwoHosts(req)) {
      refuseWith(req, res, new AppError('MALFORMED_REQUEST'));
      return;
    }
    const isChunked = req.headers['transfer-encoding'] !== undefined;
    const length = declaredLength(req);
    const longest = isChunked || length > 0 ? maxBodyLength(req) : undefined;
    if (longest === undefined) {
      handle(req, res);
      return;
    }
    if (length > longest) refuseWith(req, res, new AppError('PAYLOAD_TOO_LARGE'));
    else if (!isChunked) handle(req, res);
    else {
      holdUntilArrived(req, longest, {
        onArrived: () => handle(req, res),
        onTooLong: () => refuseWith(req, res, new AppError('PAYLOAD_TOO_LARGE')),
      });
    }
  });
  server.on('timeout', closeUnlessRequested);
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    if (!isClosing(req.socket) && declaredLength(req) <= (maxBodyLength(req) ?? Infinity)) {
      res.writeContinue();
    }
    server.emit('request', req, res);
  });
  // Node would answer 417 and then read the body without an end. RFC 9110, 10.1.1, leaves the choice.
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    server.emit('request', req, res);
  });
}

/**
 * Closes a connection whose time ended, unless its next request has arrived: on a busy machine Node sees the time first, and
 * would close the connection of a balancer that has just sent an order. With each request Node sets the time anew.
 */
function closeUnlessRequested(socket: Socket): void {
  const { timeout } = socket;
  // After what has arrived was read.
  setImmediate(() => {
    if (socket.timeout === timeout) socket.destroy();
  });
}

function declaredLength(req: IncomingMessage): number {
  return Number(req.headers['content-length'] ?? 0);
}

/** Node uses the first Host header, and a proxy in front may have used the second (RFC 9112, 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/**
 * Keeps the pieces of a body until its end, and gives them to the request then. A request whose
 * caller leaves before that never arrives.
 */
function holdUntilArrived(
  req: IncomingMessage,
  maxLength: number,
  { onArrived, onTooLong }: { onArrived: () => void; onTooLong: () => void },
): void {
  const pieces: Buffer[] = [];
  let length = 0;
  let isTooLong = false;
  // Node's parser pushes each piece into the request. Reading them would leave nothing for others.
  req.push = (piece: Buffer | null): boolean => {
    if (isTooLong) return false;
    if (piece === null) {
      Reflect.deleteProperty(req, 'push');
      for (const kept of pieces) req.push(kept);
      req.push(null);
      onArrived();
      return false;
    }
    length += piece.length;
    if (length <= maxLength) {
      pieces.push(piece);
      return true;
    }
    isTooLong = true;
    pieces.length = 0;
    onTooLong();
    return false;
  };
}

function refuseInJson(_req: IncomingMessage, res: ServerResponse, error: AppError): void {
  const body = JSON.stringify({ errorCode: error.code, errorMessage: error.message });
  const headers = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
  ];
  answerAndClose(res, error.status, { headers, body });
}

/** A route that takes a body. */
interface BodyRoute {
  method: string;
  /** As Express writes it: '/v1/transaction/:transactionId'. */
  path: string;
  /** In bytes; DEFAULT_BODY_LIMIT without it. */
  bodyLimit?: number | undefined;
}

/**
 * The longest body of a request, in bytes: the limit of the first route that matches, as in Express;
 * MAX_IGNORED_BODY_LENGTH when none matches.
 */
export function bodyLimitsOf(routes: BodyRoute[]): (req: IncomingMessage) => number {
  const known = routes
    .filter(({ method }) => method.toUpperCase() !== 'GET')
    .map((route) => ({
      ...route,
      method: route.method.toUpperCase(),
      segments: segmentsOf(route.path),
    }));
  return ({ method, url = '/' }) => {
    const segments = segmentsOf(url.split('?', 1)[0] ?? '');
    const route = known.find((one) => one.method === method && fits(segments, one.segments));
    return route === undefined ? MAX_IGNORED_BODY_LENGTH : (route.bodyLimit ?? DEFAULT_BODY_LIMIT);
  };
}

/** Express ignores the case of a path and a slash at its end. */
function segmentsOf(path: string): string[] {
  return path.toLowerCase().replace(/\/$/, '').split('/');
}

function fits(segments: string[], pattern: string[]): boolean {
  return (
    segments.length === pattern.length &&
    pattern.every((part, i) => part === segments[i] || (part.startsWith(':') && segments[i] !== ''))
  );
}
