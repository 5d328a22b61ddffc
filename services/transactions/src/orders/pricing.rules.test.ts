import * as fc from 'fast-check';
import { paymentDue, priceOf } from './pricing.rules';

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

it.each([
  ['America/Mexico_City', '2026-12-04', '2026-12-05T05:59:59.999Z'],
  ['America/Cancun', '2026-12-04', '2026-12-05T04:59:59.999Z'],
  ['Pacific/Honolulu', '2026-12-04', '2026-12-05T09:59:59.999Z'],
  ['Asia/Tokyo', '2026-12-05', '2026-12-05T14:59:59.999Z'],
])('is due at the end of the day in %s, so many days after delivery', (timeZone, day, end) => {
  const terms = { paymentTermDays: 14, paymentTimeZone: timeZone };
  const { paymentDueOn, paymentDueAt } = paymentDue(new Date('2026-11-20T23:00:00Z'), terms);
  expect([paymentDueOn, paymentDueAt.toISOString()]).toEqual([day, end]);
});

it('counts days and not hours when the clocks of Tijuana change meanwhile', () => {
  const terms = { paymentTermDays: 14, paymentTimeZone: 'America/Tijuana' };
  // Half past eleven in the evening of 24 October; the clocks go back on 1 November.
  const { paymentDueOn, paymentDueAt } = paymentDue(new Date('2026-10-25T06:30:00Z'), terms);
  expect([paymentDueOn, paymentDueAt.toISOString()]).toEqual([
    '2026-11-07',
    '2026-11-08T07:59:59.999Z',
  ]);
});
