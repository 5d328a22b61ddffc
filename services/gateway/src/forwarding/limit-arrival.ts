import type { IncomingMessage, Server } from 'node:http';
import { MAX_IMAGE_BYTES } from '@fiado/contracts/onboarding';

/** Time for a whole request to arrive. */
const REQUEST_TIMEOUT_MS = 15_000;
/**
 * Bytes that a request with more time must bring in each minute: 3 KiB a second. A phone on EDGE
 * sends twice as many, and a sender of single bytes keeps its connection for a minute.
 */
const MIN_BYTES_PER_WINDOW = 180 * 1024;
const WINDOW_MS = 60_000;
/** Any picture at that rate arrives in time, with the form around it. */
const MAX_SLOW_MS = Math.ceil((MAX_IMAGE_BYTES * 1.05) / MIN_BYTES_PER_WINDOW) * WINDOW_MS;
/** Time for a slow phone to get the answer, before its connection is cut. */
const LINGER_MS = 10_000;

/** A request whose body has not arrived. Milliseconds of the clock. */
interface Arrival {
  startedAt: number;
  slow?: { windowStartedAt: number; bytesBefore: number; onTooSlow: () => void };
  /** It was too slow, and its sender got an error. */
  cutAt?: number;
}

/** The requests of a server that are still arriving. */
export interface Arrivals {
  /** Begins with a request: after 15 seconds it is answered 408, and its connection closed. */
  watch(req: IncomingMessage): void;
  /**
   * Gives a request the time of a slow phone, as long as it keeps a minimum rate.
   * @param onTooSlow called once; the connection is cut some seconds later
   */
  allowSlow(req: IncomingMessage, onTooSlow: () => void): void;
}

/**
 * The time limits of requests, which Node has for a whole server only.
 * @param now milliseconds of a clock that never goes back
 * @param lookEveryMs how exactly the limits are kept
 */
export function createArrivals(
  now: () => number,
  lookEveryMs: number,
): Arrivals & { start(server: Server): void } {
  const arriving = new Map<IncomingMessage, Arrival>();

  function isLate(req: IncomingMessage, { startedAt, slow }: Arrival): boolean {
    const at = now();
    if (slow === undefined) return at - startedAt >= REQUEST_TIMEOUT_MS;
    if (at - startedAt >= MAX_SLOW_MS) return true;
    if (at - slow.windowStartedAt < WINDOW_MS) return false;
    const { bytesRead } = req.socket;
    if (bytesRead - slow.bytesBefore < MIN_BYTES_PER_WINDOW) return true;
    slow.windowStartedAt = at;
    slow.bytesBefore = bytesRead;
    return false;
  }

  function look(server: Server): void {
    for (const [req, arrival] of arriving) {
      if (req.complete) arriving.delete(req);
      else if (arrival.cutAt !== undefined) {
        if (now() >= arrival.cutAt) req.socket.destroy();
      } else if (isLate(req, arrival)) end(server, req, arrival);
    }
  }

  function end(server: Server, req: IncomingMessage, arrival: Arrival): void {
    if (arrival.slow !== undefined) {
      arrival.cutAt = now() + LINGER_MS;
      arrival.slow.onTooSlow();
      return;
    }
    arriving.delete(req);
    const late = new Error('The request took too long to arrive');
    const failure = Object.assign(late, { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', failure, req.socket);
  }

  return {
    watch: (req) => {
      const { 'content-length': length = '0', 'transfer-encoding': encoding } = req.headers;
      if (length === '0' && encoding === undefined) return;
      arriving.set(req, { startedAt: now() });
      req.once('close', () => arriving.delete(req));
    },
    allowSlow: (req, onTooSlow) => {
      const arrival = arriving.get(req);
      if (arrival === undefined) return;
      const bytesBefore = req.socket.bytesRead;
      arrival.slow = { windowStartedAt: arrival.startedAt, bytesBefore, onTooSlow };
    },
    start: (server) => {
      const looking = setInterval(() => look(server), lookEveryMs).unref();
      server.once('close', () => clearInterval(looking));
    },
  };
}
