/** A failure between us and the provider, by whether the SMS may have been sent. */
export type SmsFailure =
  /** The provider answered with another status than 2xx. */
  | {
      kind: 'answered';
      httpStatus: number;
      /** The provider's own number for the problem. */
      providerCode?: string;
      retryAfterSeconds?: number;
    }
  /** No byte of the request was written: DNS, a refused connection, TLS. */
  | { kind: 'not-reached' }
  /** The request was written, perhaps in part, and no whole answer came. */
  | { kind: 'no-answer' };

/** The status of a message after an attempt. Only a pending message is ever sent again. */
export type Outcome =
  | { status: 'sent'; sid: string }
  | { status: 'pending'; reason: string; retryInMs: number }
  | { status: 'failed' | 'unknown'; reason: string };

/** First pause after a refusal; doubled with each further one. */
const FIRST_RETRY_MS = 1_000;
/** Longest pause of our own: a code lives ten minutes. */
const MAX_RETRY_MS = 60_000;
/** Longest Retry-After of the provider that is honoured. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/**
 * Answers that Twilio documents as "the request was not processed": the message may be sent again. A 429 without a
 * code comes from before its API. https://www.twilio.com/docs/errors/20429: "Too many requests"; its page on 500
 * (https://www.twilio.com/docs/api/errors/20500) warns that a retry may send twice, so no 5xx is here (ADR 4).
 */
const NOT_PROCESSED: { httpStatus: number; providerCode: string | undefined }[] = [
  { httpStatus: 429, providerCode: undefined },
  { httpStatus: 429, providerCode: '20429' },
];

/**
 * The status of a message after a failed attempt. If it was certainly not sent and a retry may
 * help: pending. If it was certainly not sent and a retry cannot help: failed. Otherwise unknown,
 * which is never sent again.
 * @param attempt number of the failed attempt, from 1
 * @param random between 0 and 1, spreads the retries of messages that failed together
 */
export function outcomeOf(failure: SmsFailure, attempt: number, random: number): Outcome {
  if (failure.kind === 'no-answer') return { status: 'unknown', reason: 'NO_ANSWER' };
  if (failure.kind === 'not-reached') {
    return { status: 'pending', reason: 'NOT_REACHED', retryInMs: pauseMs(attempt, random) };
  }

  const { httpStatus, providerCode, retryAfterSeconds = 0 } = failure;
  const reason = providerCode ?? `HTTP_${httpStatus}`;
  const isNotProcessed = NOT_PROCESSED.some(
    (answer) => answer.httpStatus === httpStatus && answer.providerCode === providerCode,
  );
  if (isNotProcessed) {
    const askedMs = Math.min(retryAfterSeconds * 1_000, MAX_RETRY_AFTER_MS);
    return { status: 'pending', reason, retryInMs: Math.max(askedMs, pauseMs(attempt, random)) };
  }
  if (httpStatus >= 400 && httpStatus < 500) return { status: 'failed', reason };
  return { status: 'unknown', reason };
}

/** Whether the provider answered for a message, which proves that it works. */
export function isDecision(failure: SmsFailure): boolean {
  return failure.kind === 'answered' && failure.httpStatus < 500;
}

/** Exponential, between half and the whole of the pause. */
function pauseMs(attempt: number, random: number): number {
  const whole = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), MAX_RETRY_MS);
  return Math.round(whole * (0.5 + random / 2));
}
