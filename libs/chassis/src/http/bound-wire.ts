import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isClosing } from './answer-and-close';

/**
 * Bytes on the wire for each byte of a body in chunks: one of a single byte takes six. Extensions of
 * chunks, up to 16 KiB each, are no part of the body, and would let it never end.
 */
const MAX_WIRE_BYTES_PER_BYTE = 8;
/** For headers, for what is read of a body before it is counted, and for pieces of both. In bytes. */
const MIN_WIRE_BYTES = 256 * 1024;

/** How often connections are looked at, in milliseconds: what one brings meanwhile is read. */
const LOOK_MS = 250;

/** Code of the `clientError` of a connection that brings too many. */
export const TOO_MANY_BYTES = 'FIADO_TOO_MANY_BYTES';

/** How many bytes a connection may have brought before its next request is there. */
const mostOf = new WeakMap<Socket, number>();

/**
 * Ends connections that bring bytes which belong to no request, and which Node's parser drops without
 * counting them: blanks and empty lines around a request line, blanks before the value of a header or
 * a trailer, zeros before the length of a chunk, and all that follows a request for another protocol.
 */
export function boundWire(server: Server): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    allowBytes(socket, 0);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  // A listener of each socket's data would take its requests off the fast path of Node's parser.
  const looks = setInterval(() => {
    for (const socket of open) {
      if (socket.bytesRead <= (mostOf.get(socket) ?? Infinity) || isClosing(socket)) continue;
      open.delete(socket);
      socket.pause();
      const failure = Object.assign(new Error('Too many bytes'), { code: TOO_MANY_BYTES });
      if (!server.emit('clientError', failure, socket)) socket.destroy();
    }
  }, LOOK_MS).unref();
  server.once('close', () => clearInterval(looks));
}

/** Allows a connection that many bytes of a body, and the headers of the next request. */
export function allowBytes(socket: Socket, length: number): void {
  mostOf.set(socket, socket.bytesRead + MIN_WIRE_BYTES + length);
}

/**
 * The same for a body in chunks.
 * @returns whether it has taken more bytes on the wire than any client needs
 */
export function allowChunks(socket: Socket, maxLength: number): () => boolean {
  allowBytes(socket, maxLength * MAX_WIRE_BYTES_PER_BYTE);
  const most = socket.bytesRead + MIN_WIRE_BYTES / 2 + maxLength * MAX_WIRE_BYTES_PER_BYTE;
  return () => socket.bytesRead > most;
}
