import { DateTime } from 'luxon';
import { endOfBusinessDays } from './business-days';

const MEXICO = 'America/Mexico_City';

function lastDay(received: string, days: number, zone = MEXICO): string {
  const end = endOfBusinessDays(DateTime.fromISO(received, { zone }).toJSDate(), days, zone);
  return DateTime.fromJSDate(end, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS");
}

// Counted by hand on a calendar.
it.each([
  // Friday to Monday.
  ['2026-11-20T10:00', 1, '2026-11-23'],
  // Received on a Sunday: Monday is day 1.
  ['2026-11-22T23:59', 1, '2026-11-23'],
  // 16 September 2026 is a Wednesday: 14, 15, 17, 18 and 21 are five days after Friday, 11.
  ['2026-09-11T12:00', 5, '2026-09-21'],
  // 20 days over 16 September, and twice as many.
  ['2026-09-01T08:00', 20, '2026-09-30'],
  ['2026-09-01T08:00', 40, '2026-10-28'],
  // Over Christmas (a Friday), New Year (a Friday) and the first Monday of February.
  ['2026-12-18T18:00', 15, '2027-01-12'],
  ['2026-12-18T18:00', 20, '2027-01-19'],
  ['2026-12-18T18:00', 40, '2027-02-17'],
  // The third Mondays of November and of March; 1 May 2028 is a Monday.
  ['2026-11-13T09:00', 1, '2026-11-17'],
  ['2027-03-12T09:00', 1, '2027-03-16'],
  ['2028-04-28T09:00', 1, '2028-05-02'],
  // 1 October 2030: the federal executive changes.
  ['2030-09-30T09:00', 1, '2030-10-02'],
])('%s and %i business days: %s, to its end', (received, days, expected) =>
  expect(lastDay(received, days)).toBe(`${expected}T23:59:59.999`),
);

it('the day of receipt is that of the time zone, and so is the end of the last day', () => {
  // Midnight in Mexico City is an hour later in Cancún.
  const moment = DateTime.fromISO('2026-11-23T23:30', { zone: MEXICO }).toJSDate();
  const endIn = (zone: string): string => endOfBusinessDays(moment, 1, zone).toISOString();
  expect(endIn(MEXICO)).toBe('2026-11-25T05:59:59.999Z');
  expect(endIn('America/Cancun')).toBe('2026-11-26T04:59:59.999Z');
});
