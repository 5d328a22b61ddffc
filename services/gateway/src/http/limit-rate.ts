import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '@fiado/shared/contracts/errors';

/**
 * Requests are counted over so many seconds: all of a window's may come at once, so this is also
 * how many times its rate a caller may burst.
 */
const WINDOW_SECONDS = 2;

/**
 * Page views of one address in a second. Each costs a service one call. Generous, as the phones of
 * a whole mobile carrier may come from one; a code is guarded by its
 * own count of checks.
 */
export const PAGES_PER_SECOND = 100;
/** Callbacks of one address in a second: three for each SMS, and Twilio sends them from few. */
export const CALLBACKS_PER_SECOND = 500;

/** Guard: counts one request of that key or address. @throws AppError RATE_LIMIT_EXCEEDED */
export type RateLimit = (caller: string) => Promise<void>;

/**
 * The limit of requests for each caller, in this process; nothing counts as too much for being
 * concurrent.
 * @param perSecond the rate in the long run; 0 is no limit
 */
export function createRateLimit(perSecond: number): RateLimit {
  if (perSecond === 0) return async () => {};
  const limiter = new RateLimiterMemory({
    points: perSecond * WINDOW_SECONDS,
    duration: WINDOW_SECONDS,
  });
  return async (caller) => {
    try {
      await limiter.consume(caller);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds });
    }
  };
}
