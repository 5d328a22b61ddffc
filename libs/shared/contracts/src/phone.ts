import { randomInt } from 'node:crypto';

/**
 * Whether a phone's country is one of these. No calling code is the beginning of another one, so
 * the number's first digits tell.
 * @param phone E.164
 * @param callingCodes without plus
 */
export function isAllowedCountry(phone: string, callingCodes: string[]): boolean {
  return callingCodes.some((code) => phone.startsWith(`+${code}`));
}

/** All but the last four digits hidden: '+525512345678' becomes '********5678'. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.slice(-4).padStart(Math.max(digits.length, 8), '*');
}

/** `+52 55 0xxx xx01` to `04`: nobody has such a number. Each integrator chooses its own xxx xx. */
const SANDBOX_PHONE = /^\+52550\d{5}0([1-4])$/;

const FREE_DIGITS = 5;

const BEHAVIOURS: Record<string, SandboxPhone> = {
  1: 'fixed-code',
  2: 'fails',
  3: 'late',
  4: 'capped',
};

/**
 * How a sandbox treats an SMS to one of these numbers, which no provider ever gets. fixed-code: it
 * is sent, and codes are SANDBOX_CODE. fails: it fails. late: it is sent ten seconds late. capped: it
 * fails for the budget of its phone.
 */
type SandboxPhone = 'fixed-code' | 'fails' | 'late' | 'capped';

/** The code of every verification of a number with a fixed code. */
export const SANDBOX_CODE = '123456';

/**
 * The behaviour of a sandbox's number; undefined for any other number, and in production.
 * @param phone E.164
 */
export function sandboxPhoneOf(
  mode: 'sandbox' | 'production',
  phone: string,
): SandboxPhone | undefined {
  const [, digit] = SANDBOX_PHONE.exec(phone) ?? [];
  return mode === 'production' || digit === undefined ? undefined : BEHAVIOURS[digit];
}

/** A number with a fixed code, drawn at random; it may be in use already. */
export function drawSandboxPhone(): string {
  const free = String(randomInt(10 ** FREE_DIGITS)).padStart(FREE_DIGITS, '0');
  return `+52550${free}01`;
}
