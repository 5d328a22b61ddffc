import * as fc from 'fast-check';
import { amountOf, centsOf, isAmount, isRate, shareOf } from './money';

describe('isAmount', () => {
  it.each([0, 0.01, 1, 19.99, 4.35, 1.1, 99_999_999.99, -5])('takes %d', (value) => {
    expect(isAmount(value)).toBe(true);
  });

  it.each([0.001, 1.005, NaN, Infinity, '1', null, 1e300, 100_000_000.01])(
    'refuses %p',
    (value) => {
      expect(isAmount(value)).toBe(false);
    },
  );
});

describe('isRate', () => {
  it.each(['0', '1', '1.000000', '0.5', '0.123456'])('takes %s', (text) => {
    expect(isRate(text)).toBe(true);
  });

  it.each(['', '-1', '1.9', '1.000001', '5', '1e3', '0.1234567', '.5', '16%', 'NaN'])(
    'refuses "%s"',
    (text) => {
      expect(isRate(text)).toBe(false);
    },
  );
});

describe('cents', () => {
  it('come and go as pesos without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (cents) => {
        expect(isAmount(amountOf(cents))).toBe(true);
        expect(centsOf(amountOf(cents))).toBe(cents);
      }),
    );
  });
});

describe('shareOf', () => {
  it.each([
    [100_000, '0.05', 5000],
    [1, '0.5', 1],
    [3, '0.5', 2],
    [33, '0.015151', 0],
    [10_000_000_000, '0.999999', 9_999_990_000],
    [80_050, '0.050000', 4003],
  ])('rounds %d × %s half up to %d', (cents, rate, share) => {
    expect(shareOf(cents, rate)).toBe(share);
  });

  it('is never more than half a cent away from the exact share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (cents, micros) => {
          const rate = (micros / 1_000_000).toFixed(6);
          const twice = 2n * BigInt(shareOf(cents, rate)) * 1_000_000n;
          const exactTwice = 2n * BigInt(cents) * BigInt(micros);
          const error = twice - exactTwice;
          expect(error <= 1_000_000n && error > -1_000_000n).toBe(true);
        },
      ),
    );
  });

  it('takes plain decimals with at most six places only', () => {
    expect(() => shareOf(1, '0.1234567')).toThrow(RangeError);
    expect(() => shareOf(1, '1e3')).toThrow(RangeError);
  });
});
