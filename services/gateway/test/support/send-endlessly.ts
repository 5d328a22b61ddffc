import { once } from 'node:events';
import { connect } from 'node:net';

const PIECE = Buffer.alloc(65_536, 'x');
const CHUNK = Buffer.concat([
  Buffer.from(`${PIECE.length.toString(16)}\r\n`),
  PIECE,
  Buffer.from('\r\n'),
]);
const EXTENDED = Buffer.from(`1;${'e'.repeat(16_000)}\r\nx\r\n`.repeat(8));
/** Bytes after which a server is said to read without an end: more than any route takes. */
const ENDLESS = 80 * 1024 * 1024;
/** More than Node keeps by default. Each is four bytes, and a request may have 16 KiB of them. */
const MANY_HEADERS = 'x:\r\n'.repeat(2_100);

export interface EndlessRequest {
  method: string;
  path: string;
  /** `chunked` is counted as it comes; of `extended` nearly all bytes are extensions of chunks. */
  length: number | 'chunked' | 'extended';
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
    typeof length === 'string' ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${length}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}${hidden ? MANY_HEADERS : ''}${bodyHead}\r\n`;
  const whole = length === 'extended' ? EXTENDED : length === 'chunked' ? CHUNK : PIECE;
  return sendBytes(url, head, { whole, last: typeof length === 'string' ? ENDLESS : length });
}

/** Beginnings of a request, and what the parser drops behind them without counting it. */
const UNCOUNTED: Record<string, [begin: string, dropped: string]> = {
  'empty lines before a request': ['', '\r\n'],
  'blanks before the path': ['GET', ' '],
  'blanks after the path': ['GET /health/live', ' '],
  'blanks before the value of a header': ['GET /health/live HTTP/1.1\r\nHost: x\r\nA:', ' '],
  'tabs before the value of a header': ['GET /health/live HTTP/1.1\r\nHost: x\r\nA:', '\t'],
  'zeros before the length of a chunk': [chunked('GET'), '0'],
  'zeros before the length of a chunk of a POST': [chunked('POST'), '0'],
  'anything after a request for another protocol': [
    'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'x',
  ],
  'blanks before the value of a trailer': [`${chunked('GET')}0\r\nt:`, ' '],
};

/**
 * Sends bytes that belong to no request, of each kind, on a connection of its own.
 * @returns the kinds that the server reads without an end
 */
export async function readEndlessly(url: string): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(UNCOUNTED).map(async ([kind, [begin, dropped]]) => {
      const whole = Buffer.alloc(PIECE.length, dropped);
      const outcome = await sendBytes(url, begin, { whole, last: ENDLESS });
      return outcome.includes('endless') ? [kind] : [];
    }),
  );
  return outcomes.flat();
}

function chunked(method: string): string {
  return `${method} /health/live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
}

async function sendBytes(
  url: string,
  head: string,
  { whole, last: wanted }: { whole: Buffer; last: number },
): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
  socket.on('error', () => {});
  socket.write(head);
  const last = Math.min(wanted, ENDLESS);
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
