import { DateTime } from 'luxon';
import { endOfDay } from './clock';

it('ends the day in the time zone, not in UTC', () => {
  const evening = new Date('2026-03-01T03:00:00Z'); // still 28 February in Mexico City
  expect(endOfDay(evening, 'America/Mexico_City').toISOString()).toBe('2026-03-01T05:59:59.999Z');
  expect(endOfDay(evening, 'America/Mexico_City', 14).toISOString()).toBe(
    '2026-03-15T05:59:59.999Z',
  );
});

it('counts days, not hours, across a change of daylight time', () => {
  const before = new Date('2026-03-07T12:00:00Z');
  expect(endOfDay(before, 'America/New_York', 1).toISOString()).toBe('2026-03-09T03:59:59.999Z');
});

test.each(['America/Mexico_City', 'America/New_York', 'Europe/Madrid'])(
  'the end of a day in %s is the same whatever day was asked for before',
  (timeZone) => {
    // Every hour of the days around both changes of the clocks, and of those that end two weeks later around them.
    const days = ['02-21', '03-07', '03-14', '03-28'];
    const moments = days.flatMap((day) =>
      Array.from(
        { length: 60 },
        (_, hour) => new Date(Date.parse(`2026-${day}T00:00:00Z`) + hour * 3_600_000),
      ),
    );
    const expected = moments.map((moment) =>
      DateTime.fromJSDate(moment, { zone: timeZone }).plus({ days: 14 }).endOf('day').toMillis(),
    );
    const ends = (of: Date[]) => of.map((moment) => endOfDay(moment, timeZone, 14).getTime());
    expect(ends(moments)).toEqual(expected);
    expect(ends(moments.toReversed())).toEqual(expected.toReversed());
  },
);
