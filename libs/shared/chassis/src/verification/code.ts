import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SANDBOX_CODE, sandboxPhoneOf } from '@fiado/contracts/phone';
import { codeIn } from '@fiado/contracts/verification-code';

/**
 * The peppers of a service. Codes and passes are derived with the first one, and are right if either
 * derives them: so it can be exchanged while codes wait (ADR 62).
 */
export interface CodePeppers {
  CODE_PEPPER: string;
  CODE_PEPPER_PREVIOUS?: string;
}

const SALT_BYTES = 16;
const CODE_DIGITS = 6;

/** Random salt of a code: a new one for each new code. */
export function newCodeSalt(): Buffer {
  return randomBytes(SALT_BYTES);
}

/** The salt of codes that are SANDBOX_CODE. Production never writes it, and no draw ever gives it. */
const SANDBOX_SALT = Buffer.alloc(SALT_BYTES);

/** A salt for a code to that phone: in a sandbox some numbers have a fixed code. */
export function newCodeSaltFor(
  { FIADO_MODE }: { FIADO_MODE: 'sandbox' | 'production' },
  phone: string,
): Buffer {
  return sandboxPhoneOf(FIADO_MODE, phone) === 'fixed-code' ? SANDBOX_SALT : newCodeSalt();
}

/**
 * The six digits of a verification. They are never stored: the row keeps a random salt, and the
 * code is a keyed hash of verification and salt, so that it takes the row and the pepper to know
 * it, and a resend can repeat it. 48 bits modulo a million is even to one part in 10^8.
 */
export function codeOf(pepper: string, verificationId: string, salt: Buffer): string {
  if (salt.equals(SANDBOX_SALT)) return SANDBOX_CODE;
  const digest = createHmac('sha256', pepper).update(verificationId).update(salt).digest();
  return String(digest.readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
}

/**
 * The pass that a visitor gets for a right code, and shows instead of it in the next step. It is valid as long as the
 * code with this salt. No code is an HMAC of a text that begins with the word.
 */
export function passOf(pepper: string, verificationId: string, salt: Buffer): string {
  return createHmac('sha256', pepper)
    .update('pass')
    .update(verificationId)
    .update(salt)
    .digest('base64url');
}

/** Whether a code, as a person typed it, is that of the verification. */
export function isRightCode(
  peppers: CodePeppers,
  verificationId: string,
  salt: Buffer,
  given: string,
): boolean {
  return isOfEither(peppers, codeIn(given) ?? '', (pepper) => codeOf(pepper, verificationId, salt));
}

/** The same for a pass. */
export function isRightPass(
  peppers: CodePeppers,
  verificationId: string,
  salt: Buffer,
  given: string,
): boolean {
  return isOfEither(peppers, given, (pepper) => passOf(pepper, verificationId, salt));
}

/** Both are compared in constant time, also when the first is the same: the time shows nothing. */
function isOfEither(
  { CODE_PEPPER, CODE_PEPPER_PREVIOUS = CODE_PEPPER }: CodePeppers,
  given: string,
  derive: (pepper: string) => string,
): boolean {
  return [CODE_PEPPER, CODE_PEPPER_PREVIOUS]
    .map((pepper) => isSameText(given, derive(pepper)))
    .includes(true);
}

function isSameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
