import { shareOf } from '@fiado/contracts/money';
import { priceOf } from '../orders/pricing.rules';
import { commissionBack } from '../statements/settlement.rules';
import { creditRefusal, priceOfCredit } from './credit-note.rules';

const RATES = { interestRate: '0.0333', ivaRate: '0.16', commissionRate: '0.0177' };
const DELIVERED_AT = new Date('2026-11-01T12:00:00Z');
const order = {
  ...RATES,
  amountCents: 99_997,
  creditedCents: 0,
  clawedBackCents: 0,
  isSettled: true,
  deliveredAt: DELIVERED_AT,
  now: DELIVERED_AT,
};

it('the credit notes of a full return add up to the price of the order', () => {
  const sum = { interestCents: 0, ivaCents: 0, commissionCents: 0 };
  let creditedCents = 0;
  for (const amountCents of [1, 33_333, 7, 11_111, 55_545]) {
    const price = priceOfCredit({ ...order, creditedCents }, amountCents);
    expect(Math.min(...Object.values(price))).toBeGreaterThanOrEqual(0);
    sum.interestCents += price.interestCents;
    sum.ivaCents += price.ivaCents;
    sum.commissionCents += price.commissionCents;
    creditedCents += amountCents;
  }
  expect(creditedCents).toBe(order.amountCents);
  expect(sum).toEqual(priceOf(order.amountCents, RATES));
});

it.each([
  ['a clawback that takes no commission', '0.02', 25],
  ['a clawback of a cent', '0.03', 1],
])(
  'a credit note of all that %s left takes all that is left of the commission',
  (_, rate, taken) => {
    const amountCents = 48_050;
    const clawedBack = { ...order, amountCents, commissionRate: rate, clawedBackCents: taken };
    const note = priceOfCredit(clawedBack, amountCents - taken);
    const byClawback = commissionBack(amountCents, taken, rate);
    expect(byClawback + note.commissionCents).toBe(shareOf(amountCents, rate));
  },
);

it('a clawback lowers no interests, because the store still owes its debt', () => {
  const { commissionCents: _, ...plain } = priceOfCredit(order, 1_000);
  const clawedBack = { ...order, clawedBackCents: 33 };
  expect(priceOfCredit(clawedBack, 1_000)).toMatchObject(plain);
});

it.each([
  ['not delivered', { deliveredAt: null }, 1, 'TRANSACTION_NOT_CREDITABLE'],
  ['older than the statements', { isSettled: false }, 1, 'TRANSACTION_NOT_CREDITABLE'],
  ['60 days old', { now: new Date('2026-12-31T12:00:00Z') }, 1, undefined],
  ['older', { now: new Date('2026-12-31T12:00:00.001Z') }, 1, 'TRANSACTION_NOT_CREDITABLE'],
  ['all that is left', { creditedCents: 90_000 }, 9_997, undefined],
  ['a cent more', { creditedCents: 90_000 }, 9_998, 'CREDIT_NOTE_AMOUNT_NOT_ALLOWED'],
  [
    'clawed back in part',
    { creditedCents: 90_000, clawedBackCents: 1 },
    9_997,
    'CREDIT_NOTE_AMOUNT_NOT_ALLOWED',
  ],
])('an order that is %s', (_, changes, amountCents, refusal) => {
  const wanted = { amountCents, byWholesaler: true };
  expect(creditRefusal({ ...order, ...changes }, wanted)).toBe(refusal);
});

it('ops credits an order of any age', () => {
  const now = new Date('2027-12-31T12:00:00Z');
  const wanted = { amountCents: 1, byWholesaler: false };
  expect(creditRefusal({ ...order, now }, wanted)).toBeUndefined();
});
