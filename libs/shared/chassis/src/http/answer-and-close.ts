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
  const { socket } = res.req;
  closing.add(socket);
  res.writeHead(status, headers.concat('Connection', 'close'));
  // An answer to HEAD has no body, whose write would send the headers.
  res.flushHeaders();
  // The length completes the answer. Calling end() now would make Node read the body.
  res.write(body);
  // Nothing more is read, unless the rest is dropped for a client that reads no answer before.
  // Reading what had arrived would begin it again.
  if (res.req.readableFlowing !== true) setImmediate(() => stopReading(socket));
  setTimeout(() => {
    res.end();
    stopReading(socket);
  }, LINGER_MS).unref();
}

/**
 * Reads nothing more of a connection. Node resumes it when the answers to earlier requests leave. A
 * client that does not read those would keep it open, because this answer waits behind them.
 */
function stopReading(socket: Socket): void {
  socket.pause();
  socket.on('resume', () => socket.pause());
}

/** Whether no further request of this connection may be handled (RFC 9112, 9.6). */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket);
}
