import { momentInFormat, textInFormat } from '@fiado/contracts/request-dates';

/** `YYYY-MM-DD HH:MM:SS.SSS` (`recordDeposit`) in luxon's letters. */
const FORMAT = 'yyyy-MM-dd HH:mm:ss.SSS';

/** Whether a text is a `fechaPago`: exactly the spec's format, and a time that the calendar has. */
export function isPaymentTime(text: string): boolean {
  return momentInFormat(text, FORMAT, 'utc') !== undefined;
}

/**
 * The moment of a `fechaPago`, which is a wall clock's in the provider's time zone.
 * @throws RangeError for a text that isPaymentTime refuses
 */
export function paymentTimeOf(text: string, timeZone: string): Date {
  const moment = momentInFormat(text, FORMAT, timeZone);
  if (moment === undefined) throw new RangeError('A fechaPago is not a time');
  return moment;
}

/** The `fechaPago` of a moment in a provider's time zone. */
export function paymentTimeTextOf(moment: Date, timeZone: string): string {
  return textInFormat(moment, FORMAT, timeZone);
}
