import { createHmac, timingSafeEqual } from 'node:crypto';

/** The token that each form of a session carries: only who has the session's cookie can know it. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('fiado console form').digest('base64url');
}

/** Compares in constant time. */
export function isCsrfToken(sessionToken: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  const received = Buffer.from(given);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
