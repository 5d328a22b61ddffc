import { sandboxPhoneOf } from '@fiado/contracts/sandbox-phones';
import type { Outcome } from './outcome';

/** How late an SMS to such a number is. */
const LATE_MS = 10_000;

/**
 * The outcome of an SMS to one of a sandbox's numbers, which is not handed to the provider.
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
