import { randomInt } from 'node:crypto';

/** `+52 55 0xxx xx01` to `04`: nobody has such a number. Each integrator chooses its own xxx xx. */
const SANDBOX_PHONE = /^\+52550\d{5}0([1-4])$/;
const FREE_DIGITS = 5;

/**
 * How a sandbox treats an SMS to one of these numbers, which no provider ever gets. fixed-code: it
 * is sent, and codes are SANDBOX_CODE. fails: it fails. late: it is sent ten seconds late. capped: it
 * fails for the budget of its phone.
 */
export type SandboxPhone = 'fixed-code' | 'fails' | 'late' | 'capped';

const BEHAVIOURS: Record<string, SandboxPhone> = {
  1: 'fixed-code',
  2: 'fails',
  3: 'late',
  4: 'capped',
};

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
