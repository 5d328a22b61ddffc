import * as fc from 'fast-check';
import { paymentDueAt, priceOf } from './pricing';

const rates = { interestRate: '0.05', ivaRate: '0.16', commissionRate: '0.02' };

it('calculates prices as specified', () => {
  expect(priceOf(100_000, rates)).toEqual({
    interestCents: 5000,
    ivaCents: 800,
    commissionCents: 2000,
  });
});

it('gives whole cents that grow with the amount', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000_000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (amount, micros) => {
        const interestRate = (micros / 1_000_000).toFixed(6);
        const price = priceOf(amount, { ...rates, interestRate });
        const more = priceOf(amount + 1, { ...rates, interestRate });
        for (const part of Object.values(price)) expect(Number.isSafeInteger(part)).toBe(true);
        expect(more.interestCents).toBeGreaterThanOrEqual(price.interestCents);
        expect(more.ivaCents).toBeGreaterThanOrEqual(price.ivaCents);
      },
    ),
  );
});

it('is due at the end of the day, so many days after delivery', () => {
  const delivered = new Date('2026-11-20T23:00:00Z');
  expect(paymentDueAt(delivered, 14, 'America/Mexico_City').toISOString()).toBe(
    '2026-12-05T05:59:59.999Z',
  );
});
