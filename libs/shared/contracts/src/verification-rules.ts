import { AppError } from './errors';

/** Life of a code: the longest that OWASP ASVS 6.5.5 allows. */
export const CODE_LIFE_MS = 10 * 60_000;
/** Checks of one code, right or wrong, before it is dead; the page of a link has five of its own. */
export const MAX_CHECKS = 5;
/**
 * Wrong codes for one wholesaler's customer in a day, over all of its codes: more than a store
 * mistypes, and a chance of 1 in 50,000 to guess one.
 */
export const MAX_WRONG_CODES = 20;
/** The day of the budget: it begins with the first wrong code. */
export const WRONG_CODES_WINDOW_MS = 24 * 60 * 60_000;
/**
 * A refusal by a limit for 24 hours: the count falls with time, so another attempt makes sense in an hour.
 * A limit that time does not lift names no such time.
 */
export const limitOfADay = (message?: string): AppError =>
  new AppError('TOO_MANY_ATTEMPTS', { retryAfterSeconds: 60 * 60, message });
/** Messages for one verification in all. */
export const MAX_SENDS = 5;
/** A resend repeats the code only when at least this much of its life is left. */
const MIN_LIFE_TO_REPEAT_MS = 2 * 60_000;

export const VERIFICATION_STATUSES = ['pending', 'approved', 'cancelled'] as const;

/** The part of a verification that decides; the table has the same columns in both schemas. */
export interface VerificationState {
  status: (typeof VERIFICATION_STATUSES)[number];
  checks: number;
  sends: number;
  expiresAt: Date;
}

/** Whether a resend repeats the code (a late SMS still works) instead of making a new one. */
export function repeatsCode({ checks, expiresAt }: VerificationState, now: Date): boolean {
  return checks < MAX_CHECKS && expiresAt.getTime() - now.getTime() >= MIN_LIFE_TO_REPEAT_MS;
}
