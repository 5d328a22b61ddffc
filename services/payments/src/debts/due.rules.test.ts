import { daysOverdue, dueDayOf } from './due.rules';

const INSTALLATION = 'America/Mexico_City';
const due = (dueAt: string, dueOn: string | null, timeZone: string | null) => ({
  dueAt: new Date(dueAt),
  dueOn,
  timeZone,
  paidAt: null,
});

it.each([
  ['two days before', '2026-12-05T18:00:00.000Z', 0],
  ['the last moment to pay', '2026-12-08T07:59:59.999Z', 0],
  ['the first moment of the next day', '2026-12-08T08:00:00.000Z', 1],
  ['the last moment of the next day', '2026-12-09T07:59:59.999Z', 1],
  ['a week later', '2026-12-15T07:30:00.000Z', 7],
])('counts days of the calendar of Tijuana: %s', (_, now, days) => {
  const debt = due('2026-12-08T07:59:59.999Z', '2026-12-07', 'America/Tijuana');
  expect(daysOverdue(debt, new Date(now), INSTALLATION)).toBe(days);
  expect(daysOverdue({ ...debt, paidAt: new Date(now) }, new Date(now), INSTALLATION)).toBe(0);
});

it('counts whole days across a change of the clocks', () => {
  // The day on which the clocks go back has 25 hours: 24 hours later it is not over.
  const debt = due('2026-11-01T06:59:59.999Z', '2026-10-31', 'America/Tijuana');
  expect(daysOverdue(debt, new Date('2026-11-02T07:30:00Z'), INSTALLATION)).toBe(1);
  expect(daysOverdue(debt, new Date('2026-11-02T08:00:00Z'), INSTALLATION)).toBe(2);
});

it('takes the day of an older debt from its last moment in the time zone of the installation', () => {
  const debt = due('2026-12-08T05:59:59.999Z', null, null);
  expect(dueDayOf(debt, INSTALLATION)).toEqual({ dueOn: '2026-12-07', timeZone: INSTALLATION });
  expect(daysOverdue(debt, new Date('2026-12-08T06:00:00Z'), INSTALLATION)).toBe(1);
});
