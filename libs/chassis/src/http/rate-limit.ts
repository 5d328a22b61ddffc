import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '@fiado/contracts/errors';

/**
 * Window in seconds. All requests of a window may come at once, so this is also the burst as a
 * multiple of the rate.
 */
const WINDOW_SECONDS = 2;

/** How much of its limit a caller has left, for the headers RateLimit-*. */
export interface RateState {
  /** Requests in a window. */
  limit: number;
  remaining: number;
  /** Until the window ends. */
  resetSeconds: number;
}

/**
 * Guard: counts one request of that key or address.
 * @returns undefined where there is no limit
 * @throws AppError RATE_LIMIT_EXCEEDED
 */
export type RateLimit = (caller: string) => Promise<RateState | undefined>;

/**
 * The request rate limit of each caller, in this process. Concurrency is not limited.
 * @param perSecond the rate in the long run, of all processes that share it; 0 is no limit
 * @param share the part of it that this process lets through, of a window at least one request
 */
export function createRateLimit(perSecond: number, share = 1): RateLimit {
  if (perSecond === 0) return async () => undefined;
  const limit = Math.max(1, Math.floor(perSecond * WINDOW_SECONDS * share));
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS });
  return async (caller) => {
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(caller);
      return { limit, remaining: remainingPoints, resetSeconds: Math.ceil(msBeforeNext / 1000) };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds });
    }
  };
}
