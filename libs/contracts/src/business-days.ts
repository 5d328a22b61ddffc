import { DateTime } from 'luxon';
import { isHoliday } from './contact-hours';

/** Luxon's number of a Saturday; Sunday follows. */
const SATURDAY = 6;
/** Nobody sets a term of a year. */
const MAX_BUSINESS_DAYS = 250;

/**
 * The end of the last of some business days: Monday to Friday without the holidays of article 74 of the
 * Ley Federal del Trabajo. The day of the moment is day 0, whatever day it is.
 * @param timeZone whose calendar counts
 * @returns the last millisecond of that day
 */
export function endOfBusinessDays(moment: Date, days: number, timeZone: string): Date {
  if (days > MAX_BUSINESS_DAYS) throw new Error(`${days} business days are no term`);
  let day = DateTime.fromJSDate(moment, { zone: timeZone }).startOf('day');
  for (let counted = 0; counted < days;) {
    day = day.plus({ days: 1 });
    if (day.weekday < SATURDAY && !isHoliday(day)) counted += 1;
  }
  return day.endOf('day').toJSDate();
}
