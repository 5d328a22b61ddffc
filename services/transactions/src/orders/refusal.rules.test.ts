import {
  type CreditTerms,
  mayChangeAfterRefresh,
  type OrderToCheck,
  refusalsOf,
} from './refusal.rules';

const ZONE = 'America/Mexico_City';

const refusalOf = (against: CreditTerms | undefined, order: OrderToCheck) =>
  refusalsOf(against, order, ZONE)[0];

const terms: CreditTerms = {
  now: new Date('2026-11-20T12:00:00Z'),
  cornerStoreId: 'c',
  userId: 'u',
  status: 'approved',
  overdue: false,
  limitCents: 100_000,
  usedCents: 50_000,
  interestRate: '0.05',
  phoneSealed: Buffer.alloc(0),
  phoneUnprovenBy: null,
  externalId: 'e',
  wholesalerName: 'w',
  minimumTransactionCents: 10_000,
  commissionRate: '0.02',
  paymentTermDays: 14,
  deliveryOverageRate: '0.10',
  timeZone: null,
  deliveryWordEnabled: true,
  confirmationRequired: true,
  batchEnabled: true,
  phoneChanges: 0,
  phoneHeldUntil: null,
  heldCents: 0,
};
const past = new Date('2026-11-20T12:00:00Z');

it('accepts an order up to the last cent of the line', () => {
  expect(refusalOf(terms, { amountCents: 50_000, deliveryDate: undefined })).toBeUndefined();
});

it('names the first reason in the order of the checks', () => {
  const order = { amountCents: 1, deliveryDate: past };
  const worst = { ...terms, status: 'pre-approved' as const, overdue: true, limitCents: 0 };
  const reasons = [
    refusalOf(undefined, order),
    refusalOf(worst, order),
    refusalOf({ ...worst, status: 'in-manual-validation' }, order),
    refusalOf({ ...worst, status: 'approved' }, order),
    refusalOf({ ...terms, limitCents: 0 }, order),
    refusalOf({ ...terms, limitCents: 0 }, { ...order, deliveryDate: undefined }),
    refusalOf({ ...terms, limitCents: 0 }, { amountCents: 10_000, deliveryDate: undefined }),
  ];
  expect(reasons).toEqual([
    'CORNER_STORE_NOT_FOUND',
    'USER_NOT_VERIFIED',
    'USER_IS_IN_INTERNAL_VALIDATION',
    'USER_IS_IN_DEFAULT',
    'INVALID_DELIVERY_DATE',
    'MINIMAL_TRANSACTION_REQUIRED',
    'CREDIT_LIMIT_EXCEEDED',
  ]);
});

it('takes a delivery on 28 February for an order of 29 February of the year before, and none on 1 March', () => {
  const leapDay = { ...terms, now: new Date('2028-02-29T12:00:00Z') };
  const reasons = ['2029-03-01T05:59:59Z', '2029-03-01T06:00:00Z'].map((deliveryDate) =>
    refusalOf(leapDay, { amountCents: 10_000, deliveryDate: new Date(deliveryDate) }),
  );
  expect(reasons).toEqual([undefined, 'INVALID_DELIVERY_DATE']);
});

it('collects all reasons for a batch', () => {
  const worst = { ...terms, status: 'pre-approved' as const, overdue: true, limitCents: 0 };
  expect(refusalsOf(worst, { amountCents: 1, deliveryDate: past }, ZONE)).toEqual([
    'USER_NOT_VERIFIED',
    'USER_IS_IN_DEFAULT',
    'INVALID_DELIVERY_DATE',
    'MINIMAL_TRANSACTION_REQUIRED',
    'CREDIT_LIMIT_EXCEEDED',
  ]);
});

it('calls accounts before every refusal that accounts could change', () => {
  expect(mayChangeAfterRefresh('USER_IS_IN_DEFAULT')).toBe(false);
  expect(mayChangeAfterRefresh('INVALID_DELIVERY_DATE')).toBe(false);
  expect(mayChangeAfterRefresh('USER_NOT_VERIFIED')).toBe(true);
  expect(mayChangeAfterRefresh('CREDIT_LIMIT_EXCEEDED')).toBe(true);
});

describe('a held phone', () => {
  const soon = new Date(terms.now.getTime() + 1);
  const rich = { ...terms, limitCents: 10_000_000, phoneHeldUntil: soon };
  const refusalFor = (against: CreditTerms, amountCents: number, inBatch = false) =>
    refusalOf(against, { amountCents, deliveryDate: undefined, inBatch });

  it('refuses orders above 5,000 pesos and all items of a batch', () => {
    expect(refusalFor(rich, 500_000)).toBeUndefined();
    expect(refusalFor(rich, 500_001)).toBe('USER_IS_IN_INTERNAL_VALIDATION');
    expect(refusalFor(rich, 10_000, true)).toBe('USER_IS_IN_INTERNAL_VALIDATION');
    const used = { ...rich, heldCents: 300_000 };
    expect(refusalFor(used, 200_000)).toBeUndefined();
    expect(refusalFor(used, 200_001)).toBe('USER_IS_IN_INTERNAL_VALIDATION');
  });

  it('refuses nothing after its expiry', () => {
    const over = { ...rich, phoneHeldUntil: terms.now };
    expect(refusalFor(over, 500_001)).toBeUndefined();
    expect(refusalFor(over, 10_000, true)).toBeUndefined();
  });
});
