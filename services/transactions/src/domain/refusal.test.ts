import type { CreditTerms } from './credit-terms';
import { isWorthAsking, refusalsOf, type OrderToCheck } from './refusal';

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
  externalId: 'e',
  wholesalerName: 'w',
  minimumTransactionCents: 10_000,
  commissionRate: '0.02',
  paymentTermDays: 14,
  deliveryWordEnabled: true,
  confirmationRequired: true,
};
const past = new Date('2026-11-20T12:00:00Z');

it('finds nothing against an order up to the last cent of the line', () => {
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

it('asks accounts before every refusal that accounts could lift', () => {
  expect(isWorthAsking('USER_IS_IN_DEFAULT')).toBe(false);
  expect(isWorthAsking('INVALID_DELIVERY_DATE')).toBe(false);
  expect(isWorthAsking('USER_NOT_VERIFIED')).toBe(true);
  expect(isWorthAsking('CREDIT_LIMIT_EXCEEDED')).toBe(true);
});
