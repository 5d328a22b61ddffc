import type { PhoneChangeHold } from '@fiado/contracts/corner-store';
import { CODE_LIFE_MS } from '@fiado/contracts/verification-rules';

/**
 * Share of the daily limit that a wholesaler may send to unknown numbers before codes must be
 * confirmed: with the default of 1,000 a sales team may start 100 verifications in a row.
 */
const UNPROVEN_SHARE = 0.1;

/**
 * Share of those SMS whose code must be confirmed. Owners confirm most codes; SMS pumping confirms
 * none.
 */
const MIN_CONVERSION = 0.1;

/** Below that share, one SMS is sent in this time, so that confirmed codes can end the refusal. */
const PROBE_MS = CODE_LIFE_MS;

/** SMS of one wholesaler to numbers that no customer has, in the last 24 hours. */
export interface UnknownNumberUse {
  sent: number;
  /** SMS to those numbers whose code was confirmed. */
  confirmed: number;
  lastSentAt: Date | null;
  now: Date;
}

export type UnknownNumberVerdict = 'sent' | 'over-limit' | 'low-conversion';

/**
 * Decides whether one more SMS may go to a number that no customer has.
 * @param perDay the wholesaler's limit for 24 hours
 */
export function judgeUnknownNumber(
  { sent, confirmed, lastSentAt, now }: UnknownNumberUse,
  perDay: number,
): UnknownNumberVerdict {
  if (sent >= perDay) return 'over-limit';
  const proven = sent < perDay * UNPROVEN_SHARE || confirmed >= sent * MIN_CONVERSION;
  if (proven) return 'sent';
  const probes = lastSentAt === null || now.getTime() - lastSentAt.getTime() >= PROBE_MS;
  return probes ? 'sent' : 'low-conversion';
}

/**
 * Changes of one user's phone by one wholesaler in 24 hours: enough to correct a typing error
 * twice.
 */
export const MAX_PHONE_CHANGES_PER_DAY = 3;

/** How long a changed phone holds the larger orders of the wholesaler that changed it. */
const HOLD_MS = 24 * 60 * 60_000;

/**
 * Until when a change of phone holds the wholesaler's larger orders and batch items for the store;
 * undefined when it holds none. A store that buys from one wholesaler only needs no protection from
 * it.
 * @param wholesalers that have the store as a customer
 */
export function phoneHoldUntil({
  setting,
  wholesalers,
  now,
}: {
  setting: PhoneChangeHold;
  wholesalers: number;
  now: Date;
}): Date | undefined {
  const holds = setting === 'always' || (setting === 'shared' && wholesalers > 1);
  return holds ? new Date(now.getTime() + HOLD_MS) : undefined;
}
