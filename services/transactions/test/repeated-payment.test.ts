import { randomUUID } from 'node:crypto';
import { paymentApplied } from '@fiado/contracts/jobs/debts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { orderOnHold } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

describe('payment.applied', () => {
  it('releases the principal once, and marks a transaction paid in full', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    await transactions.call(store.caller, 'PUT', `/v1/transaction/${transactionId}`, {
      body: { status: 'delivery', transactionAmount: 1000 },
    });
    const payment = {
      paymentId: randomUUID(),
      transactionId,
      cornerStoreId: store.cornerStoreId,
      principalCents: 60_000,
      outstandingCents: 40_000,
      outstandingPrincipalCents: 40_000,
      appliedAt: new Date().toISOString(),
    };
    const rest = {
      ...payment,
      paymentId: randomUUID(),
      principalCents: 40_000,
      outstandingCents: 0,
      outstandingPrincipalCents: 0,
    };
    const receivable = randomUUID();

    // The newer payment arrives first; each is then delivered once more.
    const [newer, older] = [randomUUID(), randomUUID()];
    await transactions.handle(paymentApplied, { id: receivable, version: 3 }, rest, newer);
    await transactions.handle(paymentApplied, { id: receivable, version: 2 }, payment, older);
    await transactions.handle(paymentApplied, { id: receivable, version: 3 }, rest, newer);

    expect(await transactions.usedCents(store.cornerStoreId)).toBe(0);
    expect(await transactions.statusOf(store, transactionId)).toBe('paid');
    await transactions.checkLedger();
  });
});
