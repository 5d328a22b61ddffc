export const DELIVERY_STATUSES = [
  'pending',
  'sending',
  'delivered',
  'failed',
  'held',
  'aborted',
] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
/** Pauses after the first, second … failed attempt, in seconds: 27.6 hours in all. */
const RETRY_PAUSES_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
/** Share by which a pause is shorter or longer, so that retries do not come in one wave. */
const JITTER = 0.1;
/** Longest `Retry-After` that is respected, in seconds. */
const MAX_RETRY_AFTER_SECONDS = 3_600;
/** Most attempts at one delivery. */
export const MAX_ATTEMPTS = RETRY_PAUSES_SECONDS.length + 1;

/** The answer of an endpoint; null where it gave none. */
export interface WebhookAnswer {
  status: number | null;
  /** The header `webhook-delivery`, with which a receiver refuses more. */
  directive?: string | undefined;
  /** The header `Retry-After`. */
  retryAfter?: string | undefined;
}

/** The next step after an attempt. */
export type Decision =
  | { status: 'delivered' | 'failed' | 'aborted'; disables?: 'gone' | 'asked' }
  | { status: 'pending'; retryInSeconds: number };

/**
 * Decides what follows from an attempt.
 * @param attempt its number, from 1
 * @param now of the database, in milliseconds: for a Retry-After that is a date
 * @param random from 0 to 1
 */
export function decisionOf(
  { status, directive, retryAfter }: WebhookAnswer,
  { attempt, now, random }: { attempt: number; now: number; random: number },
): Decision {
  if (directive === 'disable') return { status: 'failed', disables: 'asked' };
  if (directive === 'abort-message') return { status: 'aborted' };
  if (status !== null && status >= 200 && status < 300) return { status: 'delivered' };
  if (status === 410) return { status: 'failed', disables: 'gone' };
  const pause = RETRY_PAUSES_SECONDS[attempt - 1];
  if (pause === undefined) return { status: 'failed' };
  const jittered = pause * (1 - JITTER + 2 * JITTER * random);
  return { status: 'pending', retryInSeconds: Math.max(jittered, secondsOf(retryAfter, now)) };
}

function secondsOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - now) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}

/**
 * Standings of endpoints, each with places of its own: attempts at bad endpoints delay no good one. An endpoint is good
 * when it took an event in the last day, new when it never did, and slow when it hangs or fails.
 */
export const STANDINGS = ['good', 'new', 'slow'] as const;
export type Standing = (typeof STANDINGS)[number];

interface StandingLimits {
  /** Attempts at all its endpoints at the same time, in one process. */
  places: number;
  /** Attempts at one endpoint at the same time, in all processes. */
  perEndpoint: number;
  /** Attempts at all endpoints of one owner at the same time. */
  perOwner: number;
}

/**
 * Good endpoints have places for many quick answers. One owner may take a third of them: its endpoints
 * could all begin to hang at once, and keep their places for SLOW_AFTER_MS.
 */
export const STANDING_LIMITS: Record<Standing, StandingLimits> = {
  good: { places: 48, perEndpoint: 4, perOwner: 16 },
  new: { places: 16, perEndpoint: 1, perOwner: 4 },
  slow: { places: 64, perEndpoint: 1, perOwner: 4 },
};

/** An attempt that takes longer gives its place back, and its endpoint becomes slow. */
export const SLOW_AFTER_MS = 2_000;
/** Failures after each other that make an endpoint slow. */
export const SLOW_AFTER_FAILURES = 5;
