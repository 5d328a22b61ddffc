import { array, constantFrom, oneof, record, string, type Arbitrary } from 'fast-check';

/** Values that have broken parsers, databases and dates before, as they stand in a URL. */
const NASTY = [
  '',
  '%20',
  '%00',
  'a%00b',
  '%',
  '%zz',
  '%ff%fe',
  '%ed%a0%80',
  '%F0%9F%92%B8',
  '%5B%5D',
  'a'.repeat(3_000),
  '%27%3B%20DROP%20TABLE%20orders',
  '%25%5F%5C',
  '__proto__',
  '-1',
  '0',
  '1e400',
  '0x10',
  '99999999999999999999',
  '9223372036854775808',
  'NaN',
  'true',
  'null',
  '2026-02-30',
  '0000-01-01',
  '-271821-04-20T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '%2B275760-09-13T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'eyJhIjoxfQ',
];

/** Queries of one to four parameters: right ones, odd ones, some of them doubled or nested. */
export function fuzzedQueries(parameters: { name: string; example: string }[]): Arbitrary<string> {
  const right = parameters.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  const names = [...parameters.map(({ name }) => name), 'unknown', '__proto__'];
  const odd = record({
    name: constantFrom(...names),
    form: constantFrom('', '', '', '[]', '[a]', '[0][1]'),
    value: oneof(
      { weight: 3, arbitrary: constantFrom(...NASTY) },
      { weight: 1, arbitrary: string({ unit: 'grapheme' }).map(encodeURIComponent) },
    ),
  }).map(({ name, form, value }) => `${name}${form}=${value}`);
  const part = right.length === 0 ? odd : oneof(odd, constantFrom(...right));
  return array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('&'));
}
