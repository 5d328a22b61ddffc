import { Counter, Gauge } from 'prom-client';
import { AppError } from '@fiado/contracts/errors';

/**
 * The breaker opens when more than FAILED_PART of the calls in this window failed. Open for as long without a call,
 * it closes: what it knows is as old as what a closed one forgets.
 */
const WINDOW_MS = 10_000;

const FAILED_PART = 0.5;

/** With fewer calls in the window the breaker stays closed: a single failure means little. */
const MIN_CALLS = 20;

/**
 * Pause before the first trial call of an open breaker, and before each further one unless its options let the
 * pause grow: a restarted service is noticed within a second.
 */
const FIRST_PAUSE_MS = 1_000;

/** Steps in which the window moves: a call is forgotten at most a tenth of the window late. */
const SLICES = 10;

const LABELS = ['upstream', 'use'] as const;

const breakerOpen = new Gauge({
  name: 'fiado_breaker_open',
  help: '1 while calls to a service that does not answer are refused at once, else 0',
  labelNames: LABELS,
});

const breakerOpenings = new Counter({
  name: 'fiado_breaker_openings_total',
  help: 'How often a circuit breaker opened because a service did not answer',
  labelNames: LABELS,
});

/** Reports how a call ended. Only the first report counts. */
export type Settle = (outcome: 'answered' | 'failed') => void;

/** The calls of one part of the window. */
interface Slice {
  /** Parts since the clock's zero: an older one is overwritten. */
  number: number;
  calls: number;
  failed: number;
}

export interface BreakerOptions {
  /** Name of the service that is called, and what it is called for; both for the metrics. */
  upstream: string;
  use: string;
  /** The time whose calls are judged, in milliseconds: longer than the deadline of one. */
  windowMs?: number;
  /** Failures in a row that open it, whatever came before; unset: only the share of failures does. */
  failuresInARow?: number;
  /** Longest pause between trial calls, in milliseconds: the pause doubles up to it. Unset: it stays a second. */
  longestPauseMs?: number;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/**
 * Stops calls to a service that does not answer, so that callers do not wait in vain and do not all
 * call it at once when it recovers. Any answer is a success, even a refusal.
 *
 * It only counts: a call costs no promise, timer or listener, because every forwarded request is
 * one (docs/adr/0008-instances-breakers-and-readiness.md).
 */
export class Breaker {
  readonly #labels: { upstream: string; use: string };
  readonly #sliceMs: number;
  readonly #now: () => number;
  readonly #failuresInARow: number;
  readonly #longestPauseMs: number;
  /** How long it is open without a call, in milliseconds, before it forgets why. */
  readonly #forgetsAfterMs: number;
  #inARow = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #slices: Slice[] = newSlices();
  /** When it last opened or let a call through; undefined while it is closed. */
  #openSince: number | undefined;

  constructor({
    upstream,
    use,
    windowMs = WINDOW_MS,
    failuresInARow = Infinity,
    longestPauseMs = FIRST_PAUSE_MS,
    now = () => performance.now(),
  }: BreakerOptions) {
    this.#labels = { upstream, use };
    this.#sliceMs = windowMs / SLICES;
    this.#failuresInARow = failuresInARow;
    this.#longestPauseMs = longestPauseMs;
    // Where a failed call costs something, the next is a trial however long ago the last one was.
    this.#forgetsAfterMs = longestPauseMs > FIRST_PAUSE_MS ? Infinity : windowMs;
    this.#now = now;
    recordBreaker(this.#labels, 'closed');
  }

  /** Whether a call would be refused now. */
  get isOpen(): boolean {
    return this.#openForMs < this.#pauseMs;
  }

  /** Whether all calls are let through, and not only one now and then. */
  get isClosed(): boolean {
    return this.#openForMs >= this.#forgetsAfterMs;
  }

  /** Milliseconds since it opened or let a trial through; infinite while it is closed. */
  get #openForMs(): number {
    return this.#openSince === undefined ? Infinity : this.#now() - this.#openSince;
  }

  /**
   * Begins a call.
   * @returns reports how the call ended: `failed` when the service did not answer
   * @throws AppError SERVICE_UNAVAILABLE while it is open
   */
  start(): Settle {
    if (this.isOpen) throw new AppError('SERVICE_UNAVAILABLE');
    if (this.#openSince !== undefined && this.isClosed) this.#close();
    const isTrial = this.#openSince !== undefined;
    // The next trial is a pause after the beginning of this one, whatever its outcome.
    if (isTrial) {
      this.#openSince = this.#now();
      this.#pauseMs = Math.min(this.#pauseMs * 2, this.#longestPauseMs);
    }
    let isSettled = false;
    return (outcome) => {
      if (isSettled) return;
      isSettled = true;
      if (isTrial) this.#endTrial(outcome);
      else if (this.isClosed) this.#count(outcome);
    };
  }

  /**
   * Makes a call unless it is open.
   * @param call rejects only when the service did not answer
   * @throws AppError SERVICE_UNAVAILABLE at once while it is open
   */
  async run<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const settle = this.start();
    try {
      const answer = await call();
      settle('answered');
      return answer;
    } catch (error) {
      settle('failed');
      throw error;
    }
  }

  #endTrial(outcome: 'answered' | 'failed'): void {
    if (outcome === 'failed') this.#open();
    else this.#close();
  }

  #close(): void {
    this.#openSince = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#inARow = 0;
    this.#slices = newSlices();
    recordBreaker(this.#labels, 'closed');
  }

  #count(outcome: 'answered' | 'failed'): void {
    const number = Math.floor(this.#now() / this.#sliceMs);
    const slice = this.#slices[number % SLICES] as Slice;
    if (slice.number !== number) Object.assign(slice, { number, calls: 0, failed: 0 });
    slice.calls += 1;
    this.#inARow = outcome === 'failed' ? this.#inARow + 1 : 0;
    if (outcome === 'answered') return;
    slice.failed += 1;
    if (this.#inARow >= this.#failuresInARow) {
      this.#open();
      return;
    }
    const inWindow = this.#slices.filter((other) => other.number > number - SLICES);
    const calls = inWindow.reduce((sum, other) => sum + other.calls, 0);
    const failed = inWindow.reduce((sum, other) => sum + other.failed, 0);
    if (calls >= MIN_CALLS && failed > FAILED_PART * calls) this.#open();
  }

  #open(): void {
    this.#openSince = this.#now();
    recordBreaker(this.#labels, 'open');
  }
}

function newSlices(): Slice[] {
  return Array.from({ length: SLICES }, () => ({ number: -1, calls: 0, failed: 0 }));
}

/** @param labels which service is called, and what for */
function recordBreaker(
  labels: Record<(typeof LABELS)[number], string>,
  state: 'open' | 'closed',
): void {
  breakerOpen.set(labels, state === 'open' ? 1 : 0);
  breakerOpenings.inc(labels, state === 'open' ? 1 : 0);
}
