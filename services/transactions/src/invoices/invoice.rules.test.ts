import * as fc from 'fast-check';
import { EXAMPLE_INVOICE } from '@fiado/contracts/event-examples';
import { amountOf, centsOf } from '@fiado/contracts/money';
import { inProportion, isInvoiceable, isUnderHalfOfOrder, shrink } from './invoice.rules';

it('splits a discount so that the parts sum up to it and none exceeds its price', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1, maxLength: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (prices, part) => {
        const total = prices.reduce((sum, price) => sum + price, 0);
        const discount = Math.floor(total * part);
        const shares = inProportion(discount, prices);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(discount);
        shares.forEach((share, i) => {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(prices[i] ?? 0);
        });
      },
    ),
  );
});

it('shrinks an invoice to the cent, in proportion, and drops lines of which nothing is left', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100_000_000 }), { minLength: 1, maxLength: 20 }),
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (prices, discounted, left) => {
        const total = prices.reduce((sum, price) => sum + price, 0);
        const discountCents = Math.min(Math.floor(total * discounted), total - 1);
        const amountCents = Math.max(1, Math.floor((total - discountCents) * left));
        const products = prices.map((price) => ({
          product: { ...PRODUCT, price: amountOf(price) },
          quantity: 3,
        }));
        const shrunk = shrink({ discountCents, products }, amountCents);
        const cents = shrunk.products.map(({ product }) => centsOf(product.price));
        expect(cents.reduce((sum, price) => sum + price, 0) - shrunk.discountCents).toBe(
          amountCents,
        );
        expect(Math.min(...cents)).toBeGreaterThan(0);
        expect(shrunk.discountCents).toBeLessThanOrEqual(discountCents);
      },
    ),
  );
});

const PRODUCT = { description: 'Refresco', productKey: '1', sku: '1', taxes: [], unitKey: 'H87' };

it('invoices orders that are confirmed and neither cancelled nor expired', () => {
  expect(isInvoiceable('on-hold')).toBe(true);
  expect(isInvoiceable('paid')).toBe(true);
  expect(isInvoiceable('pending-verification')).toBe(false);
  expect(isInvoiceable('expired')).toBe(false);
});

it('an invoice is under half of its order by its prices less the discount, whatever the quantities', () => {
  const { products } = EXAMPLE_INVOICE;
  expect(isUnderHalfOfOrder({ discountCents: 50, products }, 96_000)).toBe(false);
  expect(isUnderHalfOfOrder({ discountCents: 51, products }, 96_000)).toBe(true);
});
