import CircuitBreaker from 'opossum';
import { AppError } from '../contracts/errors';
import { recordBreaker } from './breaker-metrics';

/** It opens when more than half of the calls in this time failed, */
const WINDOW_MS = 10_000;
const FAILED_PERCENT = 50;
/** if there were at least so many: a single failure means little. */
const MIN_CALLS = 20;
/**
 * Then one call a second is let through to see; a service that was started again waits no longer.
 */
const TRY_AGAIN_MS = 1_000;

type Call = () => Promise<unknown>;

/**
 * Stops calls to a service that does not answer, so that nobody waits for it in vain and it is not
 * called by all callers at once when it recovers. Any answer is a success: a refusal
 * comes from a service that lives.
 */
export class Breaker {
  readonly #circuit: CircuitBreaker<[Call]>;

  /**
   * @param upstream name of the service; @param use what it is called for, both for the metrics
   * @param windowMs by which time's calls it judges: longer than the deadline of one
   */
  constructor(upstream: string, use: string, windowMs = WINDOW_MS) {
    this.#circuit = new CircuitBreaker((call: Call) => call(), {
      name: `${use} ${upstream}`,
      // Each call has a deadline of its own.
      timeout: false,
      rollingCountTimeout: windowMs,
      rollingPercentilesEnabled: false,
      enableSnapshots: false,
      errorThresholdPercentage: FAILED_PERCENT,
      volumeThreshold: MIN_CALLS,
      resetTimeout: TRY_AGAIN_MS,
    });
    recordBreaker({ upstream, use }, 'closed');
    this.#circuit.on('open', () => recordBreaker({ upstream, use }, 'open'));
    this.#circuit.on('close', () => recordBreaker({ upstream, use }, 'closed'));
  }

  /** Whether a call would be refused now. */
  get isOpen(): boolean {
    return !this.#circuit.closed && !this.#circuit.pendingClose;
  }

  /** Whether all calls are let through, and not only one now and then. */
  get isClosed(): boolean {
    return this.#circuit.closed;
  }

  /**
   * Makes a call unless it is open. The call must settle in the end, and rejects only when the
   * service did not answer.
   * @throws AppError SERVICE_UNAVAILABLE at once while it is open
   */
  async run<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    if (this.isOpen) throw new AppError('SERVICE_UNAVAILABLE');
    return (await this.#circuit.fire(call)) as Answer;
  }

  /** Ends its timers. */
  close(): void {
    this.#circuit.shutdown();
  }
}
