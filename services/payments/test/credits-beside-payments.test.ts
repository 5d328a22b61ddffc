import { randomUUID } from 'node:crypto';
import { behindLock } from '@fiado/chassis/testing/behind-lock';
import type { TransactionDelivered } from '@fiado/contracts/jobs/debts';
import { creditReceivable } from '../src/debts/credit-receivable';
import { openReceivable } from '../src/debts/open-receivable';
import { brokenInvariants, payFor } from './support/defaults';
import { balanceOf, deliverTransaction, delivery, receivableOf } from './support/receivable';
import { startPayments, type PaymentsService } from './support/service';

let payments: PaymentsService;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(async () => {
  expect(await brokenInvariants(payments)).toEqual([]);
  await payments.stop();
});

// On a busy machine the second work may begin later than the first one waits.
jest.retryTimes(4);

const DEBT = 'SELECT FROM payments.receivables WHERE transaction_id = $1 FOR NO KEY UPDATE';
/** A note has paid what the store owes when it waits here, and has not committed it. */
const HELD = 'LOCK TABLE payments.held_credits IN SHARE MODE';

/** Half of a delivery of 1,000 pesos with 5% interests: 529 pesos. */
const creditHalf =
  ({ transactionId, wholesalerId }: TransactionDelivered) =>
  () =>
    creditReceivable(payments.context, randomUUID(), {
      creditNoteId: randomUUID(),
      transactionId,
      wholesalerId,
      principalCents: 50_000,
      interestCents: 2_500,
      ivaCents: 400,
    });

async function delivered(changes: Parameters<typeof delivery>[0] = {}) {
  const order = delivery(changes);
  await deliverTransaction(payments, order);
  return order;
}

describe('a credit note and a payment of one order at once leave one balance', () => {
  it.each([
    ['the note first', true],
    ['the payment first', false],
  ])('%s', async (_words, isNoteFirst) => {
    const order = await delivered();
    const note: () => Promise<unknown> = creditHalf(order);
    const payment = () => payFor(payments, order, 1058);

    await behindLock(
      payments,
      [DEBT, order.transactionId],
      isNoteFirst ? [note, payment] : [payment, note],
    );

    // Opened, credited and paid; a payment of all is taken back by half.
    expect(await receivableOf(payments, order)).toMatchObject({
      outstanding: [0, 0, 0],
      paid: true,
      version: isNoteFirst ? 3 : 4,
    });
    expect(await balanceOf(payments, order)).toBe(52_900);
  });
});

it('a debt that is opened beside a credit note gets its money', async () => {
  const paid = await delivered();
  await payFor(payments, paid, 1058);
  const { cornerStoreId, userId } = paid;
  const next = delivery({ cornerStoreId, userId });

  const outcomes = await behindLock(
    payments,
    [HELD],
    [creditHalf(paid), () => openReceivable(payments.context, { delivered: next })],
  );

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect((await receivableOf(payments, next)).outstanding).toEqual([0, 0, 52_900]);
  expect(await balanceOf(payments, paid)).toBe(0);
});
