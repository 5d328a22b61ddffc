import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SALT_BYTES = 16;
const CODE_DIGITS = 6;

/** What makes a code of a verification unlike any other's: drawn anew for each new code. */
export function newCodeSalt(): Buffer {
  return randomBytes(SALT_BYTES);
}

/**
 * The six digits of a verification. They are never stored: the row keeps a random salt, and the
 * code is a keyed hash of verification and salt, so that it takes the row and the pepper to know
 * it, and a resend can repeat it. 48 bits modulo a million is even to one part in 10^8.
 */
export function codeOf(pepper: string, verificationId: string, salt: Buffer): string {
  const digest = createHmac('sha256', pepper).update(verificationId).update(salt).digest();
  return String(digest.readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
}

/** Compares in constant time. */
export function isSameCode(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
