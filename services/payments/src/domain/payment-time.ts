import { DateTime } from 'luxon';

/** `YYYY-MM-DD HH:MM:SS.SSS` (spec e18) in luxon's letters. */
const FORMAT = 'yyyy-MM-dd HH:mm:ss.SSS';

/** Whether a text is a `fechaPago`: exactly the spec's format, and a time that the calendar has. */
export function isPaymentTime(text: string): boolean {
  // Back and forth, since luxon alone reads 24:00 and single digits as well.
  return DateTime.fromFormat(text, FORMAT, { zone: 'utc' }).toFormat(FORMAT) === text;
}

/** The moment of a checked `fechaPago`, which is a wall clock's in the provider's time zone. */
export function paymentTimeOf(text: string, timeZone: string): Date {
  return DateTime.fromFormat(text, FORMAT, { zone: timeZone }).toJSDate();
}
