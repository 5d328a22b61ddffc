import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { plainReference, referenceOf, type ReferenceKind } from './payment-reference';

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
