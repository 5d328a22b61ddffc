import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import {
  permuted,
  plainReference,
  type ReferenceKind,
  referenceOf,
} from './payment-reference.rules';

it('maps each number below the size to a different one', () => {
  const size = 1_000;
  const results = Array.from({ length: size }, (_, number) =>
    permuted(number, { size, key, tweak: 'a' }),
  );
  expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, n) => n));
  expect(results).not.toEqual(results.toSorted((a, b) => a - b));
});

it('is deterministic, and differs by key and tweak', () => {
  const numbersOf = (one: Buffer, tweak: string) =>
    Array.from({ length: 10 }, (_, number) => permuted(number, { size: 9e11, key: one, tweak }));
  const numbers = numbersOf(key, 'a');
  expect(numbersOf(key, 'a')).toEqual(numbers);
  expect(numbersOf(key, 'b')).not.toEqual(numbers);
  expect(numbersOf(randomBytes(32), 'a')).not.toEqual(numbers);
});

it.each([-1, 10, 0.5, Number.NaN])('refuses %s of a size of 10', (number) => {
  expect(() => permuted(number, { size: 10, key, tweak: 'a' })).toThrow(RangeError);
});

const key = randomBytes(32);

/** Luhn written the other way round: does the whole number, check digit included, hold? */
function holds(reference: string): boolean {
  let sum = 0;
  for (let index = 0; index < reference.length; index += 1) {
    const digit = Number(reference[reference.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += Math.floor(doubled / 10) + (doubled % 10);
  }
  return sum % 10 === 0;
}

describe('payment references', () => {
  it.each<[ReferenceKind, RegExp]>([
    ['idFactura', /^[1-9]\d{12}$/],
    ['numeroReferencia', /^[1-9]\d{11}$/],
  ])('of the kind %s are short, and no two follow each other', (kind, form) => {
    const references = Array.from({ length: 200 }, (_, number) => referenceOf(kind, number, key));
    for (const reference of references) expect(reference).toMatch(form);
    const numbers = references.map((reference) => Number(reference.slice(0, -1)));
    expect(new Set(numbers).size).toBe(200);
    expect(numbers.filter((number) => numbers.includes(number + 1))).toEqual([]);
  });

  it('every reference passes the Luhn check, and none with one wrong digit does', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 899_999_999_999 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (sequenceNumber, position, change) => {
          const reference = referenceOf('idFactura', sequenceNumber, key);
          const digits = Array.from(reference);
          digits[position] = String((Number(digits[position]) + change) % 10);
          return holds(reference) && !holds(digits.join(''));
        },
      ),
    );
  });

  it('a sequence that has run out is refused instead of being cut', () => {
    expect(() => referenceOf('numeroReferencia', 90_000_000_000, key)).toThrow(RangeError);
    expect(() => referenceOf('idFactura', -1, key)).toThrow(RangeError);
  });

  it('spaces and hyphens in a typed reference do not count', () => {
    expect(plainReference(' 0000-0000 00018\t')).toBe('0000000000018');
    expect(plainReference('PAGO DE JUAN')).toBe('PAGODEJUAN');
  });
});
