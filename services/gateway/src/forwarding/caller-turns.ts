import type { ServerResponse } from 'node:http';
import { AppError } from '@fiado/contracts/errors';

/**
 * Requests that one instance of a service works on at a time, from one gateway, for a caller without
 * others beside it. As many fill a batch of the services' statements (Lane), so that more would only
 * wait there.
 */
export const PLACES_ALONE = 64;
/**
 * The same beside other callers. It decides how much of the work of a flood is in front of their requests. On two
 * cores that are in use all the time as many places carry some 280 orders a second; the default rate limit is 300.
 */
export const PLACES_BESIDE_OTHERS = 8;
/**
 * How long a caller counts as being there after its request, in milliseconds. The callers of a day call more often than
 * that, and a single call of ops does not slow down a wholesaler for long.
 */
export const BESIDE_MS = 2_000;
/**
 * Requests of one caller that may wait for a service. The default rate limit allows 600 at once.
 */
export const MAX_WAITING = 1_000;
/** Retry-After of a request that finds as many waiting, in seconds. */
const RETRY_AFTER_SECONDS = 1;

interface Waiting {
  /** Gives it a place. */
  enter: () => void;
}

/** Requests of one caller. */
interface Own {
  atWork: number;
  waiting: Set<Waiting>;
}

/**
 * Bounds how many requests of one caller a service works on at a time. The others of that caller
 * wait here, first come first served. Callers have nothing in common: one whose requests take long
 * takes no place of another.
 */
export class CallerTurns {
  readonly #callers = new Map<string, Own>();
  #lastCaller: string | undefined;
  /** Until then there are several callers. */
  #sharedUntil = -Infinity;

  /**
   * @param instances how many instances share the work
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly instances: () => number,
    private readonly now: () => number,
  ) {}

  /** Requests that wait, of all callers. */
  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#callers.values()) sum += waiting.size;
    return sum;
  }

  /**
   * Takes a place until the response is closed.
   * @param kind requests of another kind have places of their own
   * @param deadlineMs how long it may wait
   * @returns undefined when it has a place at once; else resolves with one, or when the caller left
   * @throws AppError RATE_LIMIT_EXCEEDED when too many wait, SERVICE_UNAVAILABLE after the deadline
   */
  enter(
    { caller, kind }: { caller: string; kind: string },
    res: ServerResponse,
    deadlineMs: number,
  ): Promise<void> | undefined {
    if (caller !== this.#lastCaller) {
      if (this.#lastCaller !== undefined) this.#sharedUntil = this.now() + BESIDE_MS;
      this.#lastCaller = caller;
    }
    const key = `${kind} ${caller}`;
    let own = this.#callers.get(key);
    if (own === undefined) {
      own = { atWork: 0, waiting: new Set() };
      this.#callers.set(key, own);
    }
    if (own.atWork < this.#places) {
      own.atWork += 1;
      res.once('close', () => this.#leave(key));
      return undefined;
    }
    if (own.waiting.size >= MAX_WAITING) {
      throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    return this.#wait(key, own, { res, deadlineMs });
  }

  get #places(): number {
    const ofOne = this.now() < this.#sharedUntil ? PLACES_BESIDE_OTHERS : PLACES_ALONE;
    return ofOne * this.instances();
  }

  #wait(
    key: string,
    { waiting }: Own,
    { res, deadlineMs }: { res: ServerResponse; deadlineMs: number },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        waiting.delete(entry);
        clearTimeout(deadline);
        res.off('close', left);
      };
      const left = (): void => {
        end();
        resolve();
      };
      const entry: Waiting = {
        enter: () => {
          end();
          res.once('close', () => this.#leave(key));
          resolve();
        },
      };
      const deadline = setTimeout(() => {
        end();
        reject(new AppError('SERVICE_UNAVAILABLE'));
      }, deadlineMs);
      res.once('close', left);
      waiting.add(entry);
    });
  }

  /** The place goes to the caller's next request. */
  #leave(key: string): void {
    const own = this.#callers.get(key);
    if (own === undefined) return;
    own.atWork -= 1;
    for (const next of own.waiting) {
      if (own.atWork >= this.#places) return;
      own.atWork += 1;
      next.enter();
    }
    if (own.atWork === 0) this.#callers.delete(key);
  }
}
