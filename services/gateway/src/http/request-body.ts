import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { AppError } from '@fiado/shared/contracts/errors';
import { MAX_BODY_BYTES_IN_FLIGHT, MIN_STREAMED_BYTES, type BodyInFlight } from './limit-bodies';

/**
 * Bodies up to this length (bytes) are buffered and forwarded in one piece. This costs half as
 * much, and a slow caller does not occupy a connection to the service. Longer bodies are streamed.
 */
const MAX_WHOLE_LENGTH = 65_536;

/** A body to be forwarded: none, buffered or streamed. */
export type RequestBody = Buffer | PassThrough | null;

/** Event of a streamed body, with an AppError: it exceeded a limit and ends here. */
export const REFUSED = 'refused';

/**
 * The body of a request, to be forwarded; what there is of it when the caller leaves.
 * @param inFlight counts its bytes: a declared length at once, chunks as they come
 * @param maxLength in bytes; such a body is awaited
 * @throws AppError PAYLOAD_TOO_LARGE or RATE_LIMIT_EXCEEDED
 */
export async function takeBody(
  req: IncomingMessage,
  inFlight: BodyInFlight,
  maxLength?: number,
): Promise<RequestBody> {
  if (maxLength !== undefined) {
    inFlight.add(Math.min(Number(req.headers['content-length'] ?? maxLength), maxLength));
    return wholeBodyOf(req, maxLength);
  }
  if (req.headers['transfer-encoding'] !== undefined) {
    inFlight.add(MIN_STREAMED_BYTES);
    const body = streamOf(req);
    countChunks(req, body, inFlight);
    return body;
  }
  const length = Number(req.headers['content-length'] ?? 0);
  if (length === 0) return null;
  if (length > MAX_BODY_BYTES_IN_FLIGHT) throw new AppError('PAYLOAD_TOO_LARGE');
  if (length <= MAX_WHOLE_LENGTH) {
    inFlight.add(length);
    return wholeBodyOf(req, MAX_WHOLE_LENGTH);
  }
  inFlight.add(length, MIN_STREAMED_BYTES);
  return streamOf(req);
}

function countChunks(req: IncomingMessage, body: PassThrough, inFlight: BodyInFlight): void {
  let received = 0;
  let counted = MIN_STREAMED_BYTES;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received <= counted) return;
    try {
      inFlight.add(received - counted);
      counted = received;
    } catch (error) {
      req.off('data', count);
      body.emit(REFUSED, error);
    }
  };
  req.on('data', count);
  body.once('close', () => req.off('data', count));
}

function wholeBodyOf(req: IncomingMessage, maxLength: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxLength) {
        chunks.push(chunk);
        return;
      }
      // Reads and drops the rest, so that the answer gets through.
      chunks.length = 0;
      reject(new AppError('PAYLOAD_TOO_LARGE'));
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    // The caller left before the end, or this comes after it and changes nothing.
    req.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

/**
 * The body as a stream of its own. undici destroys a body that the service did not read to the end.
 * If that were the request itself, its connection would break before the caller has read the
 * answer. So the rest is read and dropped, and the connection can carry the next request.
 */
function streamOf(req: IncomingMessage): PassThrough {
  const body = new PassThrough();
  // The failure itself is answered where undici reports it.
  body.on('error', () => {});
  body.once('close', () => {
    req.unpipe(body);
    req.resume();
  });
  return req.pipe(body);
}
