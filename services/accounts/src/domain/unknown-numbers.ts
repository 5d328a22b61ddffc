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
  /** Of those numbers, how many confirmed their code. */
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
