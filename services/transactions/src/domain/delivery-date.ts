import { DateTime } from 'luxon';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * A delivery date as wholesalers send it: an ISO 8601 date, meaning the end of that day in the time
 * zone, or a timestamp, in that zone when it names none.
 * @returns undefined for any other text and for a day that no calendar has, such as 2026-02-31
 */
export function deliveryDateOf(text: string, timeZone: string): Date | undefined {
  const moment = momentOf(text, timeZone);
  return (DATE.test(text) ? moment?.endOf('day') : moment)?.toJSDate();
}

/** The same for the edge of a range: a date means the start of its day. */
export function startOfDateOrMoment(text: string, timeZone: string): Date | undefined {
  return momentOf(text, timeZone)?.toJSDate();
}

function momentOf(text: string, timeZone: string): DateTime | undefined {
  if (!DATE.test(text) && !TIMESTAMP.test(text)) return undefined;
  const moment = DateTime.fromISO(text, { zone: timeZone });
  return moment.isValid ? moment : undefined;
}
