import { deliveryDateOf } from './delivery-date';

const zone = 'America/Mexico_City';

it.each([
  ['2026-12-24', '2026-12-25T05:59:59.999Z'],
  ['2026-12-24T10:00', '2026-12-24T16:00:00.000Z'],
  ['2026-12-24T10:00:00Z', '2026-12-24T10:00:00.000Z'],
  ['2026-12-24T10:00:00.5-03:00', '2026-12-24T13:00:00.500Z'],
  ['2028-02-29', '2028-03-01T05:59:59.999Z'],
])('reads %s as %s', (text, moment) => {
  expect(deliveryDateOf(text, zone)?.toISOString()).toBe(moment);
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
])('knows no "%s"', (text) => {
  expect(deliveryDateOf(text, zone)).toBeUndefined();
});
