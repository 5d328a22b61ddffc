import { DateTime } from 'luxon';
import { endOfBusinessDays, nextContactTime } from './contact-hours';

const MEXICO = 'America/Mexico_City';
const at = (local: string, zone = MEXICO) => DateTime.fromISO(local, { zone }).toJSDate();
const next = (local: string, zone = MEXICO, electionDays: string[] = []) =>
  DateTime.fromJSDate(nextContactTime(at(local, zone), zone, electionDays).at, { zone }).toFormat(
    "yyyy-MM-dd'T'HH:mm",
  );

it.each([
  ['2026-11-24T09:00', '2026-11-24T09:00'],
  ['2026-11-24T19:49', '2026-11-24T19:49'],
  ['2026-11-24T19:51', '2026-11-25T09:00'],
  ['2026-11-24T03:00', '2026-11-24T09:00'],
  // Saturday night; Sunday.
  ['2026-11-21T21:00', '2026-11-23T09:00'],
  ['2026-11-22T12:00', '2026-11-23T09:00'],
  // The third Monday of November; the first of February; the third of March.
  ['2026-11-16T12:00', '2026-11-17T09:00'],
  ['2027-02-01T12:00', '2027-02-02T09:00'],
  ['2027-03-15T12:00', '2027-03-16T09:00'],
  ['2027-01-01T12:00', '2027-01-02T09:00'],
  ['2027-05-01T12:00', '2027-05-03T09:00'],
  ['2027-09-16T12:00', '2027-09-17T09:00'],
  ['2026-12-25T12:00', '2026-12-26T09:00'],
  // The federal executive changes in 2030, and not in 2027.
  ['2030-10-01T12:00', '2030-10-02T09:00'],
  ['2027-10-01T12:00', '2027-10-01T12:00'],
])('after %s it is %s', (moment, expected) => expect(next(moment)).toBe(expected));

it('follows the clock of the store, not the one of Mexico City', () => {
  const moment = at('2026-11-24T09:30');
  expect(nextContactTime(moment, 'America/Cancun').at).toEqual(moment);
  expect(nextContactTime(moment, 'America/Tijuana').at).toEqual(
    at('2026-11-24T09:00', 'America/Tijuana'),
  );
});

it('passes over an election day, and ends at 20:00 of the day', () => {
  expect(next('2026-11-24T12:00', MEXICO, ['2026-11-24'])).toBe('2026-11-25T09:00');
  expect(nextContactTime(at('2026-11-24T12:00'), MEXICO).until).toEqual(at('2026-11-24T20:00'));
});

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
