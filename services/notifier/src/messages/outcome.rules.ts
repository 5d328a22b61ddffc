import { sandboxPhoneOf } from '@fiado/contracts/phone';

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
  /** isUnreported: a WhatsApp message whose delivery nobody will report. */
  | { status: 'sent'; sid: string; isUnreported?: true }
  | { status: 'pending'; reason: string; retryInMs: number }
  | { status: 'failed' | 'unknown'; reason: string };

/** First pause after a refusal; doubled with each further one. */
const FIRST_RETRY_MS = 1_000;
/** Longest pause of our own: a code lives ten minutes. */
const MAX_RETRY_MS = 60_000;
/** Longest Retry-After of the provider that is honoured. */
export const MAX_RETRY_AFTER_MS = 3_600_000;

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
 * Answers about our credential, which is wrong or being replaced. Unless their code is about the message, they prove
 * that nothing was sent. The message waits until the credential is corrected.
 */
const CREDENTIAL_REFUSED = new Set([401, 403, 404]);

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
  if (CREDENTIAL_REFUSED.has(httpStatus) && failureClassOf(reason) === 'account') {
    return { status: 'pending', reason, retryInMs: pauseMs(attempt, random) };
  }
  if (httpStatus >= 400 && httpStatus < 500) return { status: 'failed', reason };
  return { status: 'unknown', reason };
}

/** Whether the provider answered about this message: then the provider works, even if it refused. */
export function showsProviderWorks(failure: SmsFailure): boolean {
  return failure.kind === 'answered' && failure.httpStatus < 500;
}

/** Exponential, between half and the whole of the pause. */
function pauseMs(attempt: number, random: number): number {
  const whole = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), MAX_RETRY_MS);
  return Math.round(whole * (0.5 + random / 2));
}

/** How late an SMS to such a number is. */
export const LATE_MS = 10_000;

/**
 * The outcome of an SMS to a test number of the sandbox. It is not handed to the provider.
 * @param attempt from 1
 * @returns undefined for any other number, and in production
 */
export function sandboxOutcomeOf(
  mode: 'sandbox' | 'production',
  { to, messageId, attempt }: { to: string; messageId: string; attempt: number },
): Outcome | undefined {
  const phone = sandboxPhoneOf(mode, to);
  if (phone === undefined) return undefined;
  if (phone === 'fails') return { status: 'failed', reason: 'SANDBOX' };
  if (phone === 'capped') return { status: 'failed', reason: 'phone-cap' };
  if (phone === 'late' && attempt === 1) {
    return { status: 'pending', reason: 'SANDBOX', retryInMs: LATE_MS };
  }
  return { status: 'sent', sid: `sandbox-${messageId}` };
}

/**
 * Cause of a failed message. phone: this number cannot receive SMS. content: the text was refused.
 * account: our account at the provider; every message fails until somebody acts. other: the
 * network.
 */
export const FAILURE_CLASSES = ['phone', 'content', 'account', 'other'] as const;
type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Twilio's error codes, as its dictionary describes them (twilio.com/docs/api/errors). */
const CLASS_OF_CODE = new Map<string, FailureClass>([
  ...classed(
    'phone',
    [
      21211, 21214, 21217, 21265, 21407, 21610, 21612, 21614, 30003, 30004, 30005, 30006, 30011,
      63003, 63024, 63032,
    ],
  ),
  ...classed(
    'content',
    [
      21602, 21617, 21619, 21656, 30007, 30019, 30038, 63005, 63013, 63016, 63021, 63027, 63028,
      63030, 63040, 63041, 63042, 63049,
    ],
  ),
  ...classed(
    'account',
    [
      20003, 20005, 20006, 20403, 20404, 21212, 21408, 21603, 21606, 21608, 21611, 21618, 21703,
      21704, 21910, 30001, 30002, 30010, 30018, 30022, 30023, 30024, 30027, 30032, 30034, 63038,
    ],
  ),
]);

/** Answers to bad credentials, and to an account that is not there, without a code. */
const ACCOUNT_REASONS = new Set(['HTTP_401', 'HTTP_403', 'HTTP_404']);

/** The class of a message's `status_reason`. */
export function failureClassOf(reason: string): FailureClass {
  if (ACCOUNT_REASONS.has(reason)) return 'account';
  return CLASS_OF_CODE.get(reason) ?? 'other';
}

function classed(name: FailureClass, codes: number[]): Array<[string, FailureClass]> {
  return codes.map((code) => [String(code), name]);
}

/** Twilio's codes for a number that WhatsApp does not know, or that cannot get its messages. */
export const WITHOUT_WHATSAPP = ['63003', '63024'];

/** A WhatsApp message that was not delivered after so long is late: its SMS follows. */
const LATE_SECONDS = 7_200;

/**
 * When the SMS of a WhatsApp message follows, as an SQL expression: it has half of the message's life at most, so
 * that the SMS arrives before the message expires.
 * @param from an expression for the time since when it could be delivered
 */
export function lateAt(from: string): string {
  return `least(${from} + interval '${LATE_SECONDS} seconds', ${from} + (expires_at - ${from}) / 2)`;
}

/** How long Twilio may keep a WhatsApp message of which `validSeconds` are left: until its SMS follows. */
export function whatsappSeconds(validSeconds: number): number {
  return Math.min(LATE_SECONDS, validSeconds / 2);
}

/** The outcome that the provider reports for a message. */
export type DeliveryReport =
  | { status: 'sent' | 'delivered'; reason: null }
  | { status: 'failed'; reason: string };

/**
 * Twilio's statuses of an outgoing message. Every status before the final one proves that Twilio accepted it.
 */
const STATUSES: Record<string, DeliveryReport['status'] | undefined> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

/**
 * The meaning of a status callback.
 * @param errorCode the provider's number for what went wrong
 * @returns undefined for a status that is not known: there may be new ones
 */
export function deliveryReportOf(
  messageStatus: string,
  errorCode: string | undefined,
): DeliveryReport | undefined {
  if (!Object.hasOwn(STATUSES, messageStatus)) return undefined;
  const status = STATUSES[messageStatus];
  if (status === undefined) return undefined;
  if (status !== 'failed') return { status, reason: null };
  return { status, reason: errorCode ?? messageStatus.toUpperCase() };
}
