import { endOfDateOrMoment, momentWithOffset, startOfDateOrMoment } from './request-dates';

const zone = 'America/Mexico_City';

it.each([
  ['2026-12-24', '2026-12-25T05:59:59.999Z'],
  ['2026-12-24T10:00', '2026-12-24T16:00:00.000Z'],
  ['2026-12-24T10:00:00Z', '2026-12-24T10:00:00.000Z'],
  ['2026-12-24T10:00:00.5-03:00', '2026-12-24T13:00:00.500Z'],
  ['2028-02-29', '2028-03-01T05:59:59.999Z'],
  ['9999-12-31', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31T23:00:00-06:00', '9999-12-31T23:59:59.999Z'],
])('reads %s as %s', (text, moment) => {
  expect(endOfDateOrMoment(text, zone)?.toISOString()).toBe(moment);
});

it.each([
  ['2026-12-24', '2026-12-24T06:00:00.000Z'],
  ['2026-12-24T10:00', '2026-12-24T16:00:00.000Z'],
  ['0001-01-01T00:00:00+14:00', '0001-01-01T00:00:00.000Z'],
])('reads the start of %s as %s', (text, moment) => {
  expect(startOfDateOrMoment(text, zone)?.toISOString()).toBe(moment);
});

it.each([
  '2026-02-31',
  '2027-02-29',
  '2026',
  '2026-W05',
  '10:00',
  '24/12/2026',
  '',
  '2026-12-24T25:00',
  '0000-01-01',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '275760-09-13',
])('refuses "%s"', (text) => {
  expect(endOfDateOrMoment(text, zone)).toBeUndefined();
  expect(startOfDateOrMoment(text, zone)).toBeUndefined();
});

it('reads a timestamp with an offset, and no other', () => {
  expect(momentWithOffset('2026-12-24T10:00:00-06:00')).toEqual(new Date('2026-12-24T16:00:00Z'));
  expect(momentWithOffset('2026-12-24T10:00:00')).toBeUndefined();
  expect(momentWithOffset('2026-12-24')).toBeUndefined();
});

it.each(['+99:00', '+05:60', '-99:59', '+14:01', '+15:00', '-1500'])(
  'there is no offset %s',
  (offset) => {
    const text = `2026-12-31T10:00:00${offset}`;
    expect([startOfDateOrMoment(text, zone), momentWithOffset(text)]).toEqual([
      undefined,
      undefined,
    ]);
  },
);
