import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { AppError } from '@fiado/contracts/errors';
import { LRUCache } from 'lru-cache';

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
    if (received > maxLength) {
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
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= maxLength) {
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

/**
 * Bytes of request bodies that one credential may have in flight. A service keeps a body in memory
 * until it has answered; this is five onboarding images of the largest size (8 MiB) at the same
 * time.
 */
const MAX_BODY_BYTES_IN_FLIGHT = 40 * 1024 * 1024;
/**
 * Bytes in flight that a streamed body counts for at least, because it occupies a connection until it has
 * arrived. One credential can occupy 40 of the 256.
 */
const MIN_STREAMED_BYTES = 1024 * 1024;
/** The largest image arrives within this time on a line of 40 Mbit/s. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Sustained bytes of bodies per second of one credential, for each request per second that it may
 * send: 2.3 MiB at the default of 300, or four batches of 500 orders. Orders have 1 KiB, and all
 * images of a day 1 GB.
 */
const BODY_BYTES_PER_REQUEST = 8 * 1024;
/** Bytes that it may send at once: the images of five stores, or 24 batches of the largest size. */
export const BODY_BYTES_AT_ONCE = 48 * 1024 * 1024;

/**
 * Bytes of large bodies of one credential that may be refused as invalid (400) in a window. A
 * service must read such a body to the end, and a correct integration sends hardly any. The largest
 * image can be refused once.
 */
export const MAX_REFUSED_BYTES = 4 * 1024 * 1024;
export const REFUSED_WINDOW_MS = 10_000;
/** A smaller body costs no more than its request, and the rate limit counts that. */
const SMALL_BODY_BYTES = 16 * 1024;
/** Credentials whose bodies are remembered. */
const MAX_REMEMBERED = 10_000;

/** Bytes that the body of one request counts for. */
interface BodyInFlight {
  /**
   * @param inFlight what they count for in flight, where that is more
   * @throws AppError RATE_LIMIT_EXCEEDED when the credential has too many bytes in flight, sent too
   *   many of late, or had too many refused
   */
  add(bytes: number, inFlight?: number): void;
  /** The request was answered with that status, or its caller left. */
  end(status: number): void;
}

/** Begins to count the body of one request of a credential. */
export type BodyLimit = (credential: string) => BodyInFlight;

/**
 * The limits of bodies for each credential, in this process. The limits for bytes in flight and at once do not depend
 * on the number of gateways: the largest body must fit.
 * @param requestsPerSecond of one credential at this gateway; 0 for no limit, also of bytes
 * @param now milliseconds of a clock that never goes back
 */
export function createBodyLimit(requestsPerSecond: number, now: () => number): BodyLimit {
  const bytesPerMs = (requestsPerSecond * BODY_BYTES_PER_REQUEST) / 1000;
  const bytesInFlight = new Map<string, number>();
  /** Bytes sent, less what could be sent since then. */
  const sent = new LRUCache<string, { bytes: number; at: number }>({ max: MAX_REMEMBERED });
  const refused = new LRUCache<string, { bytes: number; until: number }>({ max: MAX_REMEMBERED });

  function countSent(credential: string, bytes: number): void {
    if (bytesPerMs === 0) return;
    const at = now();
    const before = sent.get(credential) ?? { bytes: 0, at };
    const total = Math.max(0, before.bytes - (at - before.at) * bytesPerMs) + bytes;
    if (total > BODY_BYTES_AT_ONCE) {
      const retryAfterSeconds = Math.ceil((total - BODY_BYTES_AT_ONCE) / bytesPerMs / 1000);
      throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds });
    }
    sent.set(credential, { bytes: total, at });
  }

  function checkRefused(credential: string): void {
    const known = refused.get(credential);
    if (known === undefined || known.bytes < MAX_REFUSED_BYTES || now() >= known.until) return;
    const retryAfterSeconds = Math.ceil((known.until - now()) / 1000);
    throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds });
  }

  function countRefused(credential: string, bytes: number): void {
    const known = refused.get(credential);
    if (known !== undefined && now() < known.until) known.bytes += bytes;
    else refused.set(credential, { bytes, until: now() + REFUSED_WINDOW_MS });
  }

  return (credential) => {
    let length = 0;
    let own = 0;
    return {
      add: (bytes, inFlight = bytes) => {
        if (bytes > SMALL_BODY_BYTES) checkRefused(credential);
        const counted = Math.max(bytes, inFlight);
        const total = (bytesInFlight.get(credential) ?? 0) + counted;
        if (total > MAX_BODY_BYTES_IN_FLIGHT) {
          throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
        }
        countSent(credential, bytes);
        length += bytes;
        own += counted;
        bytesInFlight.set(credential, total);
      },
      end: (status) => {
        const rest = (bytesInFlight.get(credential) ?? 0) - own;
        if (rest > 0) bytesInFlight.set(credential, rest);
        else bytesInFlight.delete(credential);
        if (status === 400 && length > SMALL_BODY_BYTES) countRefused(credential, length);
        length = 0;
        own = 0;
      },
    };
  };
}
