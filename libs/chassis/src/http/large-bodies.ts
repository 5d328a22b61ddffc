import type { Response } from 'express';
import { AppError } from '@fiado/contracts/errors';
import type { Caller } from '@fiado/contracts/caller';
import { nextTurn } from '../turns';

/** In bytes. A shorter body is parsed and validated in less than a millisecond. */
const LARGE_BODY_BYTES = 16 * 1024;
/**
 * Requests with a large body that this process handles at a time for one caller. One caller's
 * batches thus hold 2 of the 12 database connections. The others wait in order.
 */
const MAX_AT_ONCE = 2;
/**
 * Less than half of the gateway's deadline of 10 s: a longer wait would count as a failure for the
 * circuit breaker, which all callers share.
 */
const MAX_WAIT_MS = 4_000;
const RETRY_AFTER_SECONDS = 2;

interface Places {
  taken: number;
  /** Each takes the slot of a request that ended. */
  waiting: Set<() => void>;
}

const placesOfCaller = new Map<string, Places>();

export function isLarge(body: Buffer): boolean {
  return body.length > LARGE_BODY_BYTES;
}

/** Waits for the caller's turn to process one piece of its body. */
export function turnsOf({ id }: Caller): () => Promise<void> {
  return () => nextTurn(id);
}

/**
 * Waits until a request with a large body may be handled. A caller with large bodies waits only for
 * its own requests. If the caller disconnects meanwhile, the promise never resolves.
 * @throws AppError RATE_LIMIT_EXCEEDED after MAX_WAIT_MS
 */
export function takePlace({ kind, id }: Caller, res: Response): Promise<void> {
  // A service calls for many tenants, each of which has already waited there.
  if (kind === 'service') return Promise.resolve();
  return new Promise((resolve, reject) => {
    if (res.closed) return;
    const places = placesOfCaller.get(id) ?? { taken: 0, waiting: new Set() };
    placesOfCaller.set(id, places);
    const take = (): void => {
      clearTimeout(patience);
      places.waiting.delete(take);
      places.taken += 1;
      res.once('close', () => {
        places.taken -= 1;
        const [next] = places.waiting;
        if (next !== undefined) next();
        else if (places.taken === 0) placesOfCaller.delete(id);
      });
      resolve();
    };
    const patience = setTimeout(() => {
      places.waiting.delete(take);
      reject(new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }, MAX_WAIT_MS);
    if (places.taken < MAX_AT_ONCE) {
      take();
      return;
    }
    places.waiting.add(take);
    res.once('close', () => {
      clearTimeout(patience);
      places.waiting.delete(take);
    });
  });
}
