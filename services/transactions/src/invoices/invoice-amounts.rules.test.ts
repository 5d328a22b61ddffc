import * as fc from 'fast-check';
import { amountOf, centsOf } from '@fiado/contracts/money';
import { satTotalCents, type SentItem } from '../../test/support/sat';
import { amountsOf } from './invoice-amounts.rules';
import { type Billed, type InvoicedTax, totalCentsOf } from './invoice.rules';

const IVA: InvoicedTax = { type: 'IVA', rate: 0.16 };
const CODES = { productKey: '50202306', sku: 'REF-600', unitKey: 'H87' };

const line = (price: number, quantity: number, ...taxes: InvoicedTax[]) => ({
  product: { ...CODES, description: 'Refresco', price, taxes },
  quantity,
});

/** What is sent to a provider. */
function sentOf(billed: Billed): SentItem[] {
  return (amountsOf(billed)?.lines ?? []).map(({ quantity, discount, price, taxes, units }) => ({
    quantity,
    discount,
    product: {
      price,
      taxes: taxes.map((tax) => (tax.factor === 'Cuota' ? { ...tax, base: units } : tax)),
    },
  }));
}

const ieps = (rate: number): InvoicedTax => ({ type: 'IEPS', rate });
const quota = (rate: number): InvoicedTax => ({ type: 'IEPS', rate, factor: 'Cuota' });
const exempt: InvoicedTax = { type: 'IVA', rate: 0, factor: 'Exento' };
const zero: InvoicedTax = { type: 'IVA', rate: 0 };

describe('the total of an invoice by the arithmetic of the tax authority is that of its prices', () => {
  it.each<[string, Billed['products'], number?]>([
    ['IVA of 16 %', [line(480, 24, IVA)]],
    ['IEPS of 8 % under an IVA of 16 %', [line(480, 24, ieps(0.08), IVA)]],
    ['a quota of 3.08 for each piece under an IVA of 16 %', [line(480, 24, quota(3.08), IVA)]],
    ['an exempt line beside one of 0 %', [line(33.33, 7, exempt), line(66.67, 3, zero)]],
    ['tobacco: 160 % and a quota for each piece', [line(820, 10, ieps(1.6), quota(12.89), IVA)]],
    ['30,000 pieces for 1,000.01', [line(1000.01, 30_000, IVA)]],
    ['30,000 pieces with a quota for 199,999.99', [line(199_999.99, 30_000, quota(3.08), IVA)]],
    ['a discount over lines', [line(800, 24, IVA), line(300, 7, ieps(0.08), IVA)], 100.01],
    [
      '500 lines',
      Array.from({ length: 500 }, (_, at) => line(10.01 + at, 1 + at * 97, ieps(0.08), IVA)),
      777.77,
    ],
  ])('with %s', (_, products, discount = 0) => {
    const billed = { discountCents: centsOf(discount), products };
    const wanted = totalCentsOf(billed);
    expect([amountsOf(billed)?.totalCents, satTotalCents(sentOf(billed))]).toEqual([
      wanted,
      wanted,
    ]);
  });

  it('with any prices, quantities, discounts and taxes that are in use', () => {
    const taxes = fc.constantFrom<InvoicedTax[]>(
      [IVA],
      [zero],
      [exempt],
      [],
      [ieps(0.08), IVA],
      [ieps(0.265), IVA],
      [ieps(1.6), IVA],
      [quota(0.0001), IVA],
      [{ type: 'IVA', rate: 0.08 }],
    );
    const lines = fc.array(
      fc.tuple(
        fc.integer({ min: 10, max: 10_000_000_000 }),
        fc.integer({ min: 1, max: 50_000_000 }),
        taxes,
      ),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(lines, fc.double({ min: 0, max: 0.9, noNaN: true }), (drawn, part) => {
        const products = drawn.map(([cents, thousandths, own]) => {
          // A quota of 0.1 centavos for each piece is less than the price.
          const quantity = Math.min(thousandths, cents * 100) / 1000;
          return line(amountOf(cents), quantity, ...own);
        });
        const sum = totalCentsOf({ discountCents: 0, products });
        const billed = { discountCents: Math.floor(sum * part * 0.1), products };
        const wanted = totalCentsOf(billed);
        expect([amountsOf(billed)?.totalCents, satTotalCents(sentOf(billed))]).toEqual([
          wanted,
          wanted,
        ]);
        for (const [at, { quantity, description }] of (amountsOf(billed)?.lines ?? []).entries()) {
          const asked = products[at]?.quantity ?? 0;
          expect([quantity, description]).toEqual(
            quantity === asked ? [asked, 'Refresco'] : [1, `Refresco (cantidad: ${asked})`],
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});

it('has no amounts where a quota exceeds the price, and another total where none can be reached', () => {
  expect(amountsOf({ discountCents: 0, products: [line(3, 1, quota(3.08))] })).toBeUndefined();
  // Half of it and a tax of 100 % are rounded to the same cents.
  const odd = { discountCents: 0, products: [line(0.55, 1, ieps(1))] };
  expect([amountsOf(odd)?.totalCents, satTotalCents(sentOf(odd))]).toEqual([56, 56]);
});
