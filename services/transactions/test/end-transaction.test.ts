import { metricsText } from '@fiado/chassis/metrics';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { expireOrders } from '../src/orders/expire-orders';
import { codeOf, orderOnHold } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

describe('POST /transaction/{id}/cancel', () => {
  it('frees the credit of an order that is not delivered, and voids its code', async () => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store, { wholesalerTransactionId: 'again' });
    const errorCode = await codeOf(transactions, order.transactionId);
    const path = `/v1/transaction/${order.transactionId}`;

    const answer = await transactions.call(store.caller, 'POST', `${path}/cancel`);

    expect([answer.status, answer.body.transactionStatus]).toEqual([200, 'cancelled']);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(0);
    await transactions.checkLedger();
    const confirm = await transactions.call(
      store.caller,
      'PUT',
      `${path}/verification/${order.verificationId}`,
      { body: { errorCode } },
    );
    expect([confirm.status, confirm.body]).toMatchObject([
      422,
      { errorCode: 'VERIFICATION_NOT_VALID', reason: 'cancelled', checksLeft: 0 },
    ]);
    const again = await transactions.order(store, { wholesalerTransactionId: 'again' });
    expect(again.status).toBe(201);
    const newest = await transactions.call(store.caller, 'GET', '/v1/transaction/external/again');
    expect(newest.body.transactionId).toBe(again.body.transactionId);
  });

  it('refuses a delivered order, a second cancel, and another wholesaler', async () => {
    const store = await transactions.createCornerStore();
    const delivered = await orderOnHold(transactions, store);
    const path = `/v1/transaction/${delivered.transactionId}`;
    await transactions.call(store.caller, 'PUT', path, {
      body: { status: 'delivery', transactionAmount: 1000 },
    });
    const cancelled = await orderOnHold(transactions, store);
    const twice = `/v1/transaction/${cancelled.transactionId}/cancel`;
    await transactions.call(store.caller, 'POST', twice);

    const answers = [
      await transactions.call(store.caller, 'POST', `${path}/cancel`),
      await transactions.call(store.caller, 'POST', twice),
      await transactions.call(wholesaler(), 'POST', twice),
    ];

    expect(answers.map(({ status, body }) => [status, body.errorCode])).toEqual([
      [422, 'TRANSACTION_IS_NOT_IN_HOLD'],
      [422, 'TRANSACTION_IS_NOT_IN_HOLD'],
      [404, 'TRANSACTION_NOT_FOUND'],
    ]);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
  });

  it('frees the credit once when cancel, confirmation and delivery race', async () => {
    const store = await transactions.createCornerStore();
    for (let i = 0; i < 10; i += 1) {
      const { transactionId } = await orderOnHold(transactions, store);
      const path = `/v1/transaction/${transactionId}`;
      const body = { status: 'delivery', transactionAmount: 900 };
      await Promise.all([
        transactions.call(store.caller, 'POST', `${path}/cancel`),
        transactions.call(store.caller, 'PUT', path, { body }),
        transactions.call(store.caller, 'POST', `${path}/cancel`),
      ]);
    }
    const [{ expected } = { expected: -1 }] = await transactions.rows<{ expected: number }>(
      `SELECT coalesce(sum(amount_cents), 0)::bigint AS expected FROM transactions
        WHERE corner_store_id = $1 AND status IN ('on-hold', 'delivery')`,
      [store.cornerStoreId],
    );
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(expected);
    await transactions.checkLedger();
  });
});

describe('expiry', () => {
  it('expires an unconfirmed order after 24 hours and an order on hold after 30 days', async () => {
    const store = await transactions.createCornerStore();
    const { body: unconfirmed } = await transactions.order(store);
    const onHold = await orderOnHold(transactions, store);
    const fresh = await orderOnHold(transactions, store);
    const late = async (transactionId: string, life: string) => {
      const [row] = await transactions.rows<{ late: boolean }>(
        `SELECT expires_at BETWEEN now() + $2::interval - interval '1 minute' AND now() + $2::interval AS late
           FROM transactions WHERE id = $1`,
        [transactionId, life],
      );
      return row?.late;
    };
    expect(await late(unconfirmed.transactionId, '24 hours')).toBe(true);
    expect(await late(onHold.transactionId, '30 days')).toBe(true);
    await transactions.rows('UPDATE transactions SET expires_at = now() WHERE id = ANY($1)', [
      [unconfirmed.transactionId, onHold.transactionId],
    ]);

    await expireOrders(transactions.context);

    expect(await transactions.statusOf(store, unconfirmed.transactionId)).toBe('expired');
    expect(await transactions.statusOf(store, onHold.transactionId)).toBe('expired');
    expect(await transactions.statusOf(store, fresh.transactionId)).toBe('on-hold');
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
    await transactions.checkLedger();
  });

  it('an order that cannot expire stops no other', async () => {
    const [bad, good] = [
      await transactions.createCornerStore(),
      await transactions.createCornerStore(),
    ];
    const { transactionId: badId } = await orderOnHold(transactions, bad);
    const { transactionId: goodId } = await orderOnHold(transactions, good);
    await transactions.rows(
      `UPDATE transactions SET expires_at = now() - CASE id WHEN $1 THEN 2 ELSE 1 END * interval '1 day'
        WHERE id = ANY(ARRAY[$1, $2]::uuid[])`,
      [badId, goodId],
    );
    // It would set free more than its line has in use.
    await transactions.rows('UPDATE credit_lines SET used_cents = 0 WHERE corner_store_id = $1', [
      bad.cornerStoreId,
    ]);

    await expireOrders(transactions.context);
    expect(await transactions.statusOf(good, goodId)).toBe('expired');
    expect(await transactions.statusOf(bad, badId)).toBe('on-hold');
    expect(await metricsText()).toMatch(
      /loop_rows_failed_total\{loop="expire transactions"\} [1-9]/,
    );
  });
});
