import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Time for the caller to read the answer before a connection with an unread body is closed. */
const LINGER_MS = 1_000;

const closing = new WeakSet<Socket>();

/**
 * Answers a request whose body is not read any further, and closes its connection a second later.
 * @param headers names and values in turn, Content-Length included
 */
export function answerAndClose(
  res: ServerResponse,
  status: number,
  { headers, body }: { headers: string[]; body: string },
): void {
  closing.add(res.req.socket);
  res.writeHead(status, headers.concat('Connection', 'close'));
  // An answer to HEAD has no body, whose write would send the headers.
  res.flushHeaders();
  // The length completes the answer. Calling end() now would make Node read the body.
  res.write(body);
  // Nothing more is read, unless the rest is dropped for a client that reads no answer before.
  // Reading what had arrived would begin it again.
  if (res.req.readableFlowing !== true) setImmediate(() => res.req.socket.pause());
  setTimeout(() => res.end(), LINGER_MS).unref();
}

/** Whether no further request of this connection may be handled (RFC 9112, 9.6). */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket);
}
