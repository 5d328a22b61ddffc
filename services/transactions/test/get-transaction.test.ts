import { forAllTests } from '../../../test/support/for-all-tests';
import { codeOf, confirm, outcomeOf, type Order } from './support/orders';
import { changePhone, createSharedCornerStore } from './support/changed-phone';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

async function verificationOf(store: CornerStore, { transactionId }: Order) {
  const path = `/v1/transaction/${transactionId}`;
  const { status, body } = await transactions.call(store.caller, 'GET', path);
  expect(status).toBe(200);
  return body.verification;
}

describe('verification of getTransaction', () => {
  it('is pending with the end of the code and five checks, each of which counts', async () => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store);
    const [row] = await transactions.rows<{ expires_at: Date }>(
      'SELECT expires_at FROM verifications WHERE id = $1',
      [order.verificationId],
    );

    expect(await verificationOf(store, order)).toEqual({
      verificationId: order.verificationId,
      status: 'pending',
      smsStatus: null,
      expiresAt: row?.expires_at.toISOString(),
      checksLeft: 5,
    });
    const code = await codeOf(transactions, order.transactionId);
    await confirm(transactions, store, order, code === '000000' ? '000001' : '000000');
    expect(await verificationOf(store, order)).toMatchObject({ checksLeft: 4 });
  });

  it('is approved after the right code, and cancelled with its order', async () => {
    const store = await transactions.createCornerStore();
    const { body: confirmed } = await transactions.order(store);
    const { body: cancelled } = await transactions.order(store);
    const code = await codeOf(transactions, confirmed.transactionId);
    expect(outcomeOf(await confirm(transactions, store, confirmed, code))).toBe('200');
    const cancel = `/v1/transaction/${cancelled.transactionId}/cancel`;
    expect(outcomeOf(await transactions.call(store.caller, 'POST', cancel))).toBe('200');

    expect(await verificationOf(store, confirmed)).toMatchObject({
      status: 'approved',
      checksLeft: 0,
    });
    expect(await verificationOf(store, cancelled)).toMatchObject({
      status: 'cancelled',
      checksLeft: 0,
    });
  });

  it('has no checks left when the code has expired, or went to another phone', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    const { body: expired } = await transactions.order(store);
    const { body: toOldPhone } = await transactions.order(store);
    await transactions.rows('UPDATE verifications SET expires_at = now() WHERE id = $1', [
      expired.verificationId,
    ]);
    await changePhone(transactions, shared);

    for (const order of [expired, toOldPhone]) {
      expect(await verificationOf(store, order)).toMatchObject({
        status: 'pending',
        checksLeft: 0,
      });
    }
  });
});
