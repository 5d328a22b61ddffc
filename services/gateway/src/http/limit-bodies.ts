import { AppError } from '@fiado/contracts/errors';
import { LruMap } from '../credentials/lru-map';

/**
 * Bytes of request bodies that one credential may have in flight. A service keeps a body in memory
 * until it has answered; this is five onboarding images of the largest size (8 MiB) at the same
 * time.
 */
export const MAX_BODY_BYTES_IN_FLIGHT = 40 * 1024 * 1024;
/**
 * A body that is streamed to its service counts for at least so many bytes in flight, because it
 * occupies a connection until it has arrived. One credential can occupy 40 of the 256.
 */
export const MIN_STREAMED_BYTES = 1024 * 1024;
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
export interface BodyInFlight {
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
 * The limits of bodies for each credential, in this process. What may be in flight or come at once is
 * the same for any number of gateways: the largest body must fit.
 * @param requestsPerSecond that a credential may send to this gateway; 0 for no limit, which is none of bytes
 *   either
 * @param now milliseconds of a clock that never goes back
 */
export function createBodyLimit(requestsPerSecond: number, now: () => number): BodyLimit {
  const bytesPerMs = (requestsPerSecond * BODY_BYTES_PER_REQUEST) / 1000;
  const bytesInFlight = new Map<string, number>();
  /** Bytes sent, less what could be sent since then. */
  const sent = new LruMap<{ bytes: number; at: number }>(MAX_REMEMBERED);
  const refused = new LruMap<{ bytes: number; until: number }>(MAX_REMEMBERED);

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
