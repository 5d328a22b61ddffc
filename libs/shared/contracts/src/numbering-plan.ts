import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { parsePhoneNumberFromString as parseWithTypes } from 'libphonenumber-js/max';
import { isAllowedCountry } from './phone';

// Apart from phone.ts: the plans of all countries take 45 ms to load, and most processes need none.

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
