import type { ServerResponse } from 'node:http';
import { AppError } from '@fiado/contracts/errors';

/**
 * Requests that one instance of a service works on at a time, from one gateway, for a caller. As many
 * fill a batch of the services' statements (Lane), so that more would only wait there; and the
 * requests of a caller that read, or those that write, take at most a quarter of the connections to an instance.
 */
export const PLACES = 64;
/**
 * Requests of a caller that may have begun in the last moment (recentMs) while other callers are active. It limits how
 * much work of a flood is ahead of the requests of others. With 10, two fully used cores carry some 560 orders a
 * second; the default rate limit is 300.
 */
export const RECENT_BESIDE_OTHERS = 10;
/**
 * How long a caller counts as active after a request, in milliseconds. A wholesaler at work calls more often than
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
  /** Those of them that began a moment ago. */
  recent: number;
  waiting: Set<Waiting>;
}

/**
 * Limits how many requests of one caller a service works on at a time. Further requests of that caller wait here,
 * first come, first served. The limits of callers are independent: slow requests of one take no place of another. A
 * request that takes long waits for a lock or another service and uses no CPU time, so after recentMs it no longer
 * counts as recent and the next one may start.
 */
export class CallerTurns {
  readonly #callers = new Map<string, Own>();
  #lastCaller: string | undefined;
  /** Time until which several callers are active. */
  #sharedUntil = -Infinity;

  /**
   * @param instances how many instances share the work
   * @param now milliseconds of a clock that never goes back
   * @param recentMs how long a request counts as recent
   */
  constructor(
    private readonly instances: () => number,
    private readonly now: () => number,
    private readonly recentMs: number,
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
      own = { atWork: 0, recent: 0, waiting: new Set() };
      this.#callers.set(key, own);
    }
    if (this.#hasPlace(own)) {
      this.#begin(key, own, res);
      return undefined;
    }
    if (own.waiting.size >= MAX_WAITING) {
      throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    return this.#wait(key, own, { res, deadlineMs });
  }

  #hasPlace({ atWork, recent }: Own): boolean {
    const instances = this.instances();
    const mostRecent = this.now() < this.#sharedUntil ? RECENT_BESIDE_OTHERS : PLACES;
    return atWork < PLACES * instances && recent < mostRecent * instances;
  }

  /** The request has a place until its response is closed. */
  #begin(key: string, own: Own, res: ServerResponse): void {
    own.atWork += 1;
    own.recent += 1;
    let isRecent = true;
    const age = (): void => {
      isRecent = false;
      own.recent -= 1;
      this.#letIn(own);
    };
    const aging = setTimeout(age, this.recentMs);
    res.once('close', () => {
      clearTimeout(aging);
      own.atWork -= 1;
      if (isRecent) own.recent -= 1;
      this.#letIn(own);
      if (own.atWork === 0) this.#callers.delete(key);
    });
  }

  #wait(
    key: string,
    own: Own,
    { res, deadlineMs }: { res: ServerResponse; deadlineMs: number },
  ): Promise<void> {
    const { waiting } = own;
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
          this.#begin(key, own, res);
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

  /** Gives free places to the caller's next requests. */
  #letIn(own: Own): void {
    for (const next of own.waiting) {
      if (!this.#hasPlace(own)) return;
      next.enter();
    }
  }
}
