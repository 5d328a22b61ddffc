import { randomUUID } from 'node:crypto';
import { behindLock } from '@fiado/chassis/testing/behind-lock';
import { forAllTests } from '../../../test/support/for-all-tests';
import { applyCreditEvent, applyPaymentEvent } from '../src/credit-lines/apply-payment-events';
import { deliveredOrder } from './support/statements';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

// On a busy machine the second work may begin later than the first one waits.
jest.retryTimes(4);

const ORDER = 'SELECT FROM transactions.transactions WHERE id = $1 FOR NO KEY UPDATE';

it.each([
  ['the payment first', 2, 3],
  ['the credit note first', 3, 2],
])(
  'a payment and a credit note at once free the line once: %s',
  async (_words, ofPayment, ofCredit) => {
    const store = await transactions.createCornerStore();
    const { cornerStoreId } = store;
    const transactionId = await deliveredOrder(transactions, store, 1000);
    // Of 1,000 pesos one takes 400 and the other one the rest. Each says what is owed after it.
    const owedAt = (version: number) => (version === 2 ? 60_000 : 0);
    const receivable = (version: number) => ({
      transactionId,
      cornerStoreId,
      outstandingCents: owedAt(version),
      outstandingPrincipalCents: owedAt(version),
    });
    const event = { aggregateId: randomUUID(), version: 1, occurredAt: new Date().toISOString() };
    const at = new Date().toISOString();
    const payment = {
      ...event,
      id: randomUUID(),
      type: 'payment.applied',
      aggregateVersion: ofPayment,
      data: {
        ...receivable(ofPayment),
        paymentId: randomUUID(),
        principalCents: owedAt(ofPayment) === 0 ? 60_000 : 40_000,
        appliedAt: at,
      },
    };
    const note = {
      ...event,
      id: randomUUID(),
      type: 'receivable.credited',
      aggregateVersion: ofCredit,
      data: {
        ...receivable(ofCredit),
        creditNoteId: randomUUID(),
        paidAt: owedAt(ofCredit) === 0 ? at : null,
      },
    };

    const outcomes = await behindLock(
      transactions,
      [ORDER, transactionId],
      [
        () => applyPaymentEvent(transactions.context, payment),
        () => applyCreditEvent(transactions.context, note),
      ],
    );

    expect(outcomes).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: undefined },
    ]);
    expect(await transactions.usedCents(cornerStoreId)).toBe(0);
    expect(await transactions.statusOf(store, transactionId)).toBe('paid');
    await transactions.checkLedger();
  },
);
