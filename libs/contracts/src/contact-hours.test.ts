import { DateTime } from 'luxon';
import { nextContactTime } from './contact-hours';

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
