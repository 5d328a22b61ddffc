import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { allowChunks } from '@fiado/chassis/http/bound-wire';
import { AppError } from '@fiado/contracts/errors';
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
 * @param maxLength in bytes
 * @param isWhole the body is awaited and comes in one piece, however long
 * @throws AppError PAYLOAD_TOO_LARGE or RATE_LIMIT_EXCEEDED
 */
export async function takeBody(
  req: IncomingMessage,
  inFlight: BodyInFlight,
  { maxLength, isWhole = false }: { maxLength: number; isWhole?: boolean },
): Promise<RequestBody> {
  const { 'content-length': declared, 'transfer-encoding': encoding } = req.headers;
  const length = Number(declared ?? 0);
  if (length > maxLength) {
    if (length <= MAX_BODY_BYTES_IN_FLIGHT) {
      inFlight.add(length);
      // Dropped until the connection is closed: many clients read no answer before they have written
      // everything.
      req.resume();
    }
    throw new AppError('PAYLOAD_TOO_LARGE');
  }
  if (encoding !== undefined) {
    if (!isWhole) return countedStreamOf(req, inFlight, maxLength);
    inFlight.add(maxLength);
    return wholeBodyOf(req, maxLength);
  }
  if (length === 0) return null;
  if (isWhole || length <= MAX_WHOLE_LENGTH) {
    inFlight.add(length);
    return wholeBodyOf(req, length);
  }
  inFlight.add(length, MIN_STREAMED_BYTES);
  const body = streamOf(req);
  // A service that did not read all of it has answered. The rest, which is no longer than the route
  // allows, is dropped, so that the connection can carry the next request.
  body.once('close', () => req.resume());
  return body;
}

/** A body in chunks, as a stream. */
function countedStreamOf(
  req: IncomingMessage,
  inFlight: BodyInFlight,
  maxLength: number,
): PassThrough {
  inFlight.add(MIN_STREAMED_BYTES);
  let received = 0;
  let counted = MIN_STREAMED_BYTES;
  let isRefused = false;
  const isTooWide = allowChunks(req.socket, maxLength);
  const refuse = (error: unknown): void => {
    isRefused = true;
    req.off('data', count);
    req.unpipe(body);
    req.pause();
    if (body.destroyed) req.socket.destroy();
    else body.emit(REFUSED, error);
  };
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > maxLength || isTooWide()) {
      refuse(new AppError('PAYLOAD_TOO_LARGE'));
      return;
    }
    if (received <= counted || body.destroyed) return;
    try {
      inFlight.add(received - counted);
      counted = received;
    } catch (error) {
      refuse(error);
    }
  };
  req.on('data', count);
  const body = streamOf(req);
  // The service has answered: the rest is still counted.
  body.once('close', () => {
    if (!isRefused) req.resume();
  });
  return body;
}

function wholeBodyOf(req: IncomingMessage, maxLength: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const isTooWide = allowChunks(req.socket, maxLength);
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= maxLength && !isTooWide()) {
        chunks.push(chunk);
        return;
      }
      req.off('data', take);
      req.pause();
      chunks.length = 0;
      reject(new AppError('PAYLOAD_TOO_LARGE'));
    };
    req.on('data', take);
    req.once('end', () => resolve(Buffer.concat(chunks)));
    // The caller left before the end, or this comes after it and changes nothing.
    req.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

/**
 * The body as a stream of its own. undici destroys a body that the service did not read to the end.
 * If that were the request itself, its connection would break before the caller has read the
 * answer.
 */
function streamOf(req: IncomingMessage): PassThrough {
  const body = new PassThrough();
  // The failure itself is answered where undici reports it.
  body.on('error', () => {});
  body.once('close', () => req.unpipe(body));
  return req.pipe(body);
}
