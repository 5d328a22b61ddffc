import { DateTime } from 'luxon';
import { ValidationError } from './errors';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** No clock is further from UTC than 14 hours; luxon takes any two digits. */
const OFFSET = String.raw`(Z|[+-](0\d|1[0-3]):?[0-5]\d|[+-]14:?00)`;
const TIMESTAMP = new RegExp(
  String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?${OFFSET}?$`,
);
const ZONE = new RegExp(`${OFFSET}$`);

/**
 * First and last moment that a request can name, in milliseconds. Outside of them ISO 8601 needs a
 * sign and six digits for the year, which neither Postgres nor most clients can read.
 */
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The moment that a request names with an ISO 8601 date or timestamp. A date means the start of
 * that day in the time zone; a timestamp without an offset is in the time zone.
 * @returns undefined for any other text and for a day that no calendar has, such as 2026-02-31
 */
export function startOfDateOrMoment(text: string, timeZone: string): Date | undefined {
  const moment = parse(text, timeZone);
  return moment && bounded(moment);
}

/** Like startOfDateOrMoment, but a date means the end of that day. */
export function endOfDateOrMoment(text: string, timeZone: string): Date | undefined {
  const moment = parse(text, timeZone);
  return moment && bounded(DATE.test(text) ? moment.endOf('day') : moment);
}

/**
 * The date of a field of a request; undefined for an optional one that is absent.
 * @param path of the field, for the text of the error
 * @param momentOf what a date means: the start of the day, or endOfDateOrMoment
 * @throws ValidationError for a text that is no date, or a date that no calendar has
 */
export function readDate<Text extends string | undefined>(
  path: string,
  text: Text,
  timeZone: string,
  momentOf = startOfDateOrMoment,
): Date | Extract<Text, undefined> {
  if (text === undefined) return undefined as Extract<Text, undefined>;
  const date = momentOf(text, timeZone);
  if (date !== undefined) return date;
  throw new ValidationError([`${path} must be a real ISO 8601 date or timestamp`]);
}

/** The moment of an ISO 8601 timestamp with an offset; undefined for any other text. */
export function momentWithOffset(text: string): Date | undefined {
  const moment = ZONE.test(text) ? parse(text, 'utc') : undefined;
  return moment && bounded(moment);
}

/**
 * The moment of a text in a format of luxon's, exactly, on the wall clock of a time zone.
 * @returns undefined for a text in another format and for a time that no calendar has
 */
export function momentInFormat(text: string, format: string, timeZone: string): Date | undefined {
  // Back and forth in UTC, since luxon alone also reads 24:00 and single digits.
  if (DateTime.fromFormat(text, format, { zone: 'utc' }).toFormat(format) !== text)
    return undefined;
  return bounded(DateTime.fromFormat(text, format, { zone: timeZone }));
}

/** A moment as a text in a format of luxon's, on the wall clock of a time zone. */
export function textInFormat(moment: Date, format: string, timeZone: string): string {
  return DateTime.fromJSDate(moment, { zone: timeZone }).toFormat(format);
}

function parse(text: string, zone: string): DateTime | undefined {
  // The calendar has no year 0.
  if (text.startsWith('0000') || !(DATE.test(text) || TIMESTAMP.test(text))) return undefined;
  const moment = DateTime.fromISO(text, { zone });
  return moment.isValid ? moment : undefined;
}

/** A time zone can move the first and the last day of the calendar out of the four-digit years. */
function bounded(moment: DateTime): Date {
  return new Date(Math.min(Math.max(moment.toMillis(), FIRST_MOMENT), LAST_MOMENT));
}
