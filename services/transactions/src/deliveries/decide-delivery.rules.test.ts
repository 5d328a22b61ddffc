import { AppError } from '@fiado/contracts/errors';
import type { CreditTerms } from '../orders/refusal.rules';
import {
  creditRefusal,
  decideDelivery,
  type Delivery,
  type OrderToDecide,
} from './decide-delivery.rules';

const ZONE = 'America/Mexico_City';

const order: OrderToDecide = {
  id: 'o',
  wholesalerId: 'w',
  cornerStoreId: 'c',
  userId: 'u',
  externalId: 'tienda-1',
  version: 2,
  status: 'on-hold',
  amountCents: 100_000,
  interestRate: '0.05',
  ivaRate: '0.16',
  commissionRate: '0.02',
  paymentTermDays: 14,
  deliveryOverageRate: '0.10',
  paymentTimeZone: null,
  deliveryWordRequired: false,
  isPhoneHeld: false,
  now: new Date('2026-11-20T12:00:00Z'),
};

const deliveryOf = (amountCents: number, deliveryWord?: string): Delivery => ({
  amountCents,
  deliveryWord,
  location: undefined,
});

/** The code of the refusal, and the largest amount that it names. */
function refusalOf(found: OrderToDecide | undefined, asked: Delivery | Error) {
  try {
    decideDelivery(found, asked, ZONE);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) return error;
    return [error.code, error.fields.maximumAmount].filter((part) => part !== undefined);
  }
}

it('refuses in the order: no order, not on hold, error of the request, word, amount', () => {
  const broken = new Error('not a delivery');
  const strict = { ...order, deliveryWordRequired: true };
  expect([
    refusalOf(undefined, broken),
    refusalOf({ ...order, status: 'delivery' }, broken),
    refusalOf(strict, broken),
    refusalOf(strict, deliveryOf(110_001)),
    refusalOf(strict, deliveryOf(110_001, 'LimonTambor')),
    refusalOf(strict, deliveryOf(110_000, 'LimonTambor')),
  ]).toEqual([
    ['TRANSACTION_NOT_FOUND'],
    ['TRANSACTION_IS_NOT_IN_HOLD'],
    broken,
    ['DELIVERY_WORD_NOT_VALID'],
    ['TRANSACTION_AMOUNT_NOT_ALLOWED', 1100],
    undefined,
  ]);
});

it('allows nothing more than was ordered without an overage', () => {
  const exact = { ...order, deliveryOverageRate: '0' };
  expect(refusalOf(exact, deliveryOf(100_001))).toEqual(['TRANSACTION_AMOUNT_NOT_ALLOWED', 1000]);
  expect(refusalOf(exact, deliveryOf(1))).toBeUndefined();
});

it('calculates price, due date and debt from the delivered amount', () => {
  const { written, debt } = decideDelivery(order, deliveryOf(80_050), ZONE);
  expect(written).toMatchObject({
    version: 2,
    amountCents: 80_050,
    differenceCents: -19_950,
    commissionCents: 1601,
    interestCents: 4003,
    ivaCents: 640,
    paymentDueOn: '2026-12-04',
    paymentTimeZone: ZONE,
    dayEndsAt: new Date('2026-11-21T05:59:59.999Z'),
  });
  expect(debt).toMatchObject({
    externalId: 'tienda-1',
    principalCents: 80_050,
    interestCents: 4003,
    ivaCents: 640,
    dueAt: '2026-12-05T05:59:59.999Z',
    dueOn: '2026-12-04',
    timeZone: ZONE,
  });
});

it('names the most that the line carries: nothing more than was ordered to a store that may not buy', () => {
  const terms = { status: 'approved', overdue: false, limitCents: 100_050, usedCents: 100_000 };
  const mostOf = (change: Partial<CreditTerms>) =>
    creditRefusal(order, deliveryOf(100_100), { ...terms, ...change } as CreditTerms).fields;
  expect([
    mostOf({}),
    mostOf({ overdue: true }),
    mostOf({ status: 'pre-approved' }),
    mostOf({ limitCents: 90_000 }),
    // There is room again: no amount explains the refusal.
    mostOf({ limitCents: 200_000 }),
    creditRefusal(order, deliveryOf(100_100), undefined).fields,
  ]).toEqual([
    { maximumAmount: 1000.5 },
    { maximumAmount: 1000 },
    { maximumAmount: 1000 },
    { maximumAmount: 1000 },
    {},
    {},
  ]);
});
