import { randomInt } from 'node:crypto';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { parsePhoneNumberFromString as parseWithTypes } from 'libphonenumber-js/max';

/** Mexican mobiles until 2019 carried a 1 after the country code, and address books still do. */
const OLD_MEXICAN_MOBILE = /^\+?521(?=\d{10}$)/;

/** Characters in copied numbers: white space, brackets, hyphens of any kind, invisible marks. */
const BETWEEN_DIGITS = /[\s()\p{Pd}\p{Cf}]/gu;

/**
 * A phone number as people write or copy it, in E.164.
 * @param region the country of numbers without a prefix, such as 'MX'
 * @returns undefined when it is not a valid number
 */
export function normalizePhone(text: string, region: string): string | undefined {
  const current = text
    .replaceAll(BETWEEN_DIGITS, '')
    .replace(/^tel:/i, '')
    .replace(OLD_MEXICAN_MOBILE, '+52');
  const number = parsePhoneNumberFromString(current, {
    defaultCountry: region as CountryCode,
    // The whole text is the number, or it is none: nothing is fished out of a sentence.
    extract: false,
  });
  return number?.isValid() === true ? number.number : undefined;
}

/** Kinds of numbers at which no person gets SMS, such as +52 800 and +52 900. */
const WITHOUT_SMS: ReadonlySet<string | undefined> = new Set([
  'TOLL_FREE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'UAN',
  'VOICEMAIL',
]);

/**
 * Whether a phone's country is one of these. No calling code is the beginning of another one, so
 * the number's first digits tell.
 * @param phone E.164
 * @param callingCodes without plus
 */
export function isAllowedCountry(phone: string, callingCodes: string[]): boolean {
  return callingCodes.some((code) => phone.startsWith(`+${code}`));
}

/**
 * Whether a number can ever get an SMS of ours, as far as the plan of its country tells.
 * @param phone E.164
 * @param callingCodes of the countries that messages go to
 */
export function canGetSms(phone: string, callingCodes: string[]): boolean {
  return (
    isAllowedCountry(phone, callingCodes) && !WITHOUT_SMS.has(parseWithTypes(phone)?.getType())
  );
}

/** A phone number as people of its country write it: '+525512345678' becomes '55 1234 5678'. */
export function printPhone(text: string, region: string): string {
  const number = parsePhoneNumberFromString(text, region as CountryCode);
  return number?.isValid() === true ? number.formatNational() : text;
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
