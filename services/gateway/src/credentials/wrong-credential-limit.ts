import { AppError } from '@fiado/contracts/errors';

/**
 * Wrong credentials that one remote address may present in a second, to all gateways. Generous, because a whole
 * company or a load balancer may share an address. It only keeps a flood of guesses away from
 * accounts.
 */
const MAX_WRONG_PER_SECOND = 200;
const WINDOW_MS = 1_000;

export interface WrongCredentialLimit {
  /** Counts an unknown credential. @throws AppError RATE_LIMIT_EXCEEDED */
  enter(address: string): void;
  /** It was not a wrong one. */
  leave(address: string): void;
}

/**
 * Counts in windows of a second, for all addresses at once, so that nothing has to be forgotten.
 * Only unknown credentials are counted: a known caller is never refused for another's guesses.
 * @param share the part of the limit that this gateway lets through
 * @param now milliseconds of a clock that never goes back
 */
export function createWrongCredentialLimit(share: number, now: () => number): WrongCredentialLimit {
  const limit = Math.max(1, Math.floor(MAX_WRONG_PER_SECOND * share));
  let windowEndsAt = 0;
  let counts = new Map<string, number>();

  function count(address: string, change: number): number {
    if (now() >= windowEndsAt) {
      windowEndsAt = now() + WINDOW_MS;
      counts = new Map();
    }
    const counted = Math.max(0, (counts.get(address) ?? 0) + change);
    counts.set(address, counted);
    return counted;
  }

  return {
    enter: (address) => {
      if (count(address, 1) > limit) {
        throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 1 });
      }
    },
    leave: (address) => void count(address, -1),
  };
}
