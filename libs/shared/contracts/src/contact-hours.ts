import { DateTime } from 'luxon';

/** Messages about debts go out from 9 to 20 o'clock of the store. */
const FIRST_HOUR = 9;
const LAST_HOUR = 20;
/** What is sent later than this before the end might arrive after it. */
const WAY_TO_THE_PHONE_MINUTES = 10;
/** Luxon's number of a Sunday. */
const SUNDAY = 7;
const MONDAY = 1;
/** Days that are looked through for an open one: no run of holidays is as long. */
const MAX_DAYS = 14;
/** The federal executive changes on 1 October of 2024 and of each sixth year after it. */
const CHANGE_OF_EXECUTIVE = { year: 2024, every: 6 };

export interface ContactTime {
  /** The moment itself, or the next one at which a message may go out. */
  at: Date;
  /** End of that day's hours. */
  until: Date;
}

/**
 * When a store may next get a message about a debt: 09:00 to 20:00 in its zone, not on a Sunday or a
 * holiday of article 74 of the Ley Federal del Trabajo.
 * @param electionDays days that the electoral laws name, `2027-06-06`
 */
export function nextContactTime(
  moment: Date,
  timeZone: string,
  electionDays: readonly string[] = [],
): ContactTime {
  const now = DateTime.fromJSDate(moment, { zone: timeZone });
  for (let days = 0; days < MAX_DAYS; days += 1) {
    const day = now.plus({ days }).startOf('day');
    const opens = day.set({ hour: FIRST_HOUR });
    const closes = day.set({ hour: LAST_HOUR });
    const at = days === 0 && now > opens ? now : opens;
    const isOpen =
      day.weekday !== SUNDAY && !isHoliday(day) && !electionDays.includes(day.toISODate() ?? '');
    if (isOpen && at < closes.minus({ minutes: WAY_TO_THE_PHONE_MINUTES })) {
      return { at: at.toJSDate(), until: closes.toJSDate() };
    }
  }
  throw new Error(`No day without a holiday after ${now.toISODate()}`);
}

/** Holidays of article 74: fixed days, and those that moved to a Monday in 2006. */
export function isHoliday({ year, month, day, weekday }: DateTime): boolean {
  const isMonday = (nth: number) => weekday === MONDAY && Math.ceil(day / 7) === nth;
  switch (month) {
    case 1:
      return day === 1;
    case 2:
      return isMonday(1);
    case 3:
      return isMonday(3);
    case 5:
      return day === 1;
    case 9:
      return day === 16;
    case 10:
      return day === 1 && (year - CHANGE_OF_EXECUTIVE.year) % CHANGE_OF_EXECUTIVE.every === 0;
    case 11:
      return isMonday(3);
    case 12:
      return day === 25;
    default:
      return false;
  }
}

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
