import type { Readable } from 'node:stream';

/** Kept of an answer's body, in bytes. */
const MAX_HEAD_BYTES = 1_024;

/**
 * The beginning of a body as text that Postgres takes; the rest is not read. What goes wrong on the
 * way changes nothing: the status has decided by then.
 */
export async function readHead(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Ends the loop, and with it the stream and its connection.
      if (length > MAX_HEAD_BYTES) break;
    }
  } catch {
    // The head ends where the answer broke off.
  }
  return Buffer.concat(chunks).subarray(0, MAX_HEAD_BYTES).toString().replaceAll('\0', '\u{FFFD}');
}
