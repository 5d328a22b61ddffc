import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';

/** Mexican mobiles until 2019 carried a 1 after the country code, and address books still do. */
const OLD_MEXICAN_MOBILE = /^\+?521(?=\d{10}$)/;

/**
 * A phone number as people write it, in E.164.
 * @param region the country of numbers without a prefix, such as 'MX'
 * @returns undefined when it is not a valid number
 */
export function normalizePhone(text: string, region: string): string | undefined {
  const current = text.replaceAll(/[\s()-]/g, '').replace(OLD_MEXICAN_MOBILE, '+52');
  const number = parsePhoneNumberFromString(current, {
    defaultCountry: region as CountryCode,
    // The whole text is the number, or it is none: nothing is fished out of a sentence.
    extract: false,
  });
  return number?.isValid() === true ? number.number : undefined;
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
