/** Pause after the first failed try of an invoice; each further one doubles it. */
const FIRST_PAUSE_MS = 30_000;
/** Longest pause: an invoice goes out within an hour of the provider's recovery. */
const LONGEST_PAUSE_MS = 60 * 60_000;
/** An outage of the provider or an expired key is fixed within a long weekend. */
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60_000;

/**
 * When an invoice that was not issued is retried.
 * @param attempts tries so far, from 1
 */
export function nextAttemptAt(now: Date, attempts: number): Date {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return new Date(now.getTime() + pauseMs);
}

/** Whether an invoice has failed for so long that it is not tried again. */
export function isGivenUp(now: Date, createdAt: Date): boolean {
  return now.getTime() - createdAt.getTime() > GIVE_UP_AFTER_MS;
}
