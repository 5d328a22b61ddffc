import { once } from 'node:events';
import { connect } from 'node:net';

const PIECE = Buffer.alloc(65_536, 'x');
const CHUNK = Buffer.concat([
  Buffer.from(`${PIECE.length.toString(16)}\r\n`),
  PIECE,
  Buffer.from('\r\n'),
]);
/** Bytes after which a server is said to read without an end: more than any route takes. */
const ENDLESS = 80 * 1024 * 1024;
/** More than Node keeps by default. Each is four bytes, and a request may have 16 KiB of them. */
const MANY_HEADERS = 'x:\r\n'.repeat(2_100);

export interface EndlessRequest {
  method: string;
  path: string;
  /** `chunked` is counted as it comes. */
  length: number | 'chunked';
  /** Further header lines. */
  headers?: string;
  /** Puts thousands of headers before the length. */
  hidden?: boolean;
}

/**
 * Sends a body to its end, or until the server closes the connection.
 * @returns the status of each answer, and `endless` when the server reads on
 */
export async function sendEndlessly(
  url: string,
  { method, path, length, headers = '', hidden = false }: EndlessRequest,
): Promise<string> {
  const bodyHead =
    length === 'chunked' ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${length}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}${hidden ? MANY_HEADERS : ''}${bodyHead}\r\n`;
  const isChunked = length === 'chunked';
  const whole = isChunked ? CHUNK : PIECE;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
  socket.on('error', () => {});
  socket.write(head);
  const last = isChunked ? ENDLESS : Math.min(length, ENDLESS);
  let sent = 0;
  while (!socket.closed && sent < last) {
    const piece = whole.subarray(0, last - sent);
    sent += piece.length;
    if (socket.write(piece)) await new Promise(setImmediate);
    else await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
  }
  if (sent < ENDLESS && !socket.closed) {
    socket.end();
    await once(socket, 'close');
  }
  socket.destroy();
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
  return [...statuses, ...(sent < ENDLESS ? [] : ['endless'])].join(' ');
}
