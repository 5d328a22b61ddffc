import { untilOf } from './close-statements';

it.each([
  ['now', '', '2026-11-24T05:59:55.000Z'],
  ['today, whose day is not over', '2026-11-24', '2026-11-24T05:59:55.000Z'],
  ['a day before it', '2026-11-23', '2026-11-24'],
  ['a day to come, which the API refuses', '2026-11-25', '2026-11-26'],
  ['no day, which the API refuses', 'ayer', 'ayer'],
])('statements close up to %s', (_, day, until) => {
  // Midnight in Mexico City.
  expect(untilOf(day, new Date('2026-11-24T06:00:00.000Z'))).toBe(until);
});
