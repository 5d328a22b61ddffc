import * as fc from 'fast-check';
import { idFacturaOf, numeroReferenciaOf, plainReference } from './payment-reference';

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
  it('an idFactura is 12 digits and their Luhn digit', () => {
    expect(idFacturaOf(1)).toBe('0000000000018');
    expect(idFacturaOf(799_273_987_1)).toBe('0079927398713');
    expect(idFacturaOf(999_999_999_999)).toHaveLength(13);
  });

  it('a numeroReferencia is 11 digits and their Luhn digit', () => {
    expect(numeroReferenciaOf(1)).toBe('000000000018');
    expect(numeroReferenciaOf(799_273_987_1)).toBe('079927398713');
  });

  it('every reference passes the Luhn check, and none with one wrong digit does', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999_999 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (sequenceNumber, position, change) => {
          const reference = idFacturaOf(sequenceNumber);
          const digits = Array.from(reference);
          digits[position] = String((Number(digits[position]) + change) % 10);
          return holds(reference) && !holds(digits.join(''));
        },
      ),
    );
  });

  it('a sequence that has run out is refused instead of being cut', () => {
    expect(() => numeroReferenciaOf(100_000_000_000)).toThrow(RangeError);
    expect(() => idFacturaOf(-1)).toThrow(RangeError);
  });

  it('spaces and hyphens in a typed reference do not count', () => {
    expect(plainReference(' 0000-0000 00018\t')).toBe('0000000000018');
    expect(plainReference('PAGO DE JUAN')).toBe('PAGODEJUAN');
  });
});
