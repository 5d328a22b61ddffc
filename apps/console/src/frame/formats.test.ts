import {
  agoOf,
  amountIn,
  inFours,
  neededAmountIn,
  percentOf,
  percentText,
  pesosOf,
  phoneOf,
  rateIn,
  timeOf,
} from './formats';

it.each([
  ['25000', 25_000],
  ['25,000', 25_000],
  ['$25,000.50', 25_000.5],
  ['$ 1,250', 1250],
  ['25,00', '25,00'],
  ['1.234', '1.234'],
  ['mucho', 'mucho'],
  ['-5', '-5'],
])('an amount as people type it: %s', (text, expected) => {
  expect(amountIn(text)).toBe(expected);
});

it('an amount that a request needs is no number where the text is none', () => {
  expect([neededAmountIn('$1,250'), neededAmountIn('mucho')]).toEqual([1250, Number.NaN]);
});

it.each([
  ['5', 0.05],
  ['5.5%', 0.055],
  ['7.1 %', 0.071],
  ['0.05', 0.0005],
  ['5,5', '5,5'],
  ['', ''],
])('a rate in percent as people type it: %s', (text, expected) => {
  expect(rateIn(text)).toBe(expected);
});

it('a rate in a field is what is typed there', () => {
  expect(rateIn(percentText(0.071))).toBe(0.071);
  expect(percentText(0.02)).toBe('2');
});

it('numbers are written as people read them', () => {
  expect([pesosOf(-2000), pesosOf(-0), pesosOf(undefined), percentOf(0.055)]).toEqual([
    '−$2,000.00',
    '$0.00',
    '—',
    '5.5%',
  ]);
  expect([inFours('951252919703'), inFours('PED-4711')]).toEqual(['9512 5291 9703', 'PED-4711']);
});

it('a time has its year where that is another one, and a distance from now', () => {
  expect(timeOf('2020-11-23T19:52:00.000Z')).toMatch(/^23 nov 2020, 1:52\sp\.m\.$/);
  const now = Date.parse('2026-11-23T12:00:00Z');
  expect(agoOf('2026-11-23T10:00:00Z', 'es-MX', now)).toMatch(/^hace 2 h/);
  expect(agoOf('2026-11-26T12:00:00Z', 'es-MX', now)).toMatch(/3 días$/);
});

it.each([
  ['+525552063686', '55 5206 3686'],
  ['+522221234567', '222 123 4567'],
  ['********0101', '********0101'],
  ['+14155550100', '+14155550100'],
])('a phone as people write it: %s', (phone, written) => {
  expect(phoneOf(phone)).toBe(written);
});
