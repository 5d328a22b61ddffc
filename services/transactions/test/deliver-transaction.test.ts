import { forAllTests } from '../../../test/support/for-all-tests';
import { orderOnHold } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

describe('PUT /transaction/{id}', () => {
  const deliver = (store: CornerStore, id: string, body: object, headers = {}) =>
    transactions.call(store.caller, 'PUT', `/v1/transaction/${id}`, { body, headers });

  it('sets the lower amount, releases the rest and books the debt', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);

    const answer = await deliver(store, transactionId, {
      status: 'delivery',
      transactionAmount: 800.5,
      latitude: 19.4,
      longitude: -99.1,
    });

    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(80_050);
    await transactions.checkLedger();
    const [debt] = await transactions.rows<{ data: object }>(
      `SELECT data FROM outbox WHERE type = 'transaction.delivered' AND aggregate_id = $1`,
      [transactionId],
    );
    expect(debt?.data).toMatchObject({
      principalCents: 80_050,
      interestCents: 4003,
      ivaCents: 640,
      externalId: 'tienda-1',
    });
    const commissions = await transactions.rows<{ amount_cents: number; live: boolean }>(
      `SELECT amount_cents, voided_at IS NULL AS live FROM commissions
        WHERE transaction_id = $1 ORDER BY created_at`,
      [transactionId],
    );
    expect(commissions).toEqual([
      { amount_cents: 2000, live: false },
      { amount_cents: 1601, live: true },
    ]);
  });

  it('takes null in every optional field as absent', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);

    const answer = await deliver(store, transactionId, {
      status: 'delivery',
      transactionAmount: 1000,
      deliveryWord: null,
      latitude: null,
      longitude: null,
      description: null,
    });

    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    const [{ located } = {}] = await transactions.rows<{ located: boolean }>(
      'SELECT location_sealed IS NOT NULL AS located FROM transactions WHERE id = $1',
      [transactionId],
    );
    expect(located).toBe(false);
  });

  it.each([
    ['in default', `overdue = true`],
    ['rejected', `status = 'pre-approved', limit_cents = 0`],
  ])(
    'books the delivery to a store that is %s, and grants it no more credit',
    async (_, change) => {
      const store = await transactions.createCornerStore();
      const { cornerStoreId } = store;
      const ids = [await orderOnHold(transactions, store), await orderOnHold(transactions, store)];
      const { transactionId: more } = await orderOnHold(transactions, store);
      await transactions.rows(`UPDATE credit_lines SET ${change} WHERE corner_store_id = $1`, [
        cornerStoreId,
      ]);
      const refused = await deliver(store, more, {
        status: 'delivery',
        transactionAmount: 1000.01,
      });
      expect([refused.status, refused.body]).toMatchObject([
        422,
        { errorCode: 'CREDIT_LIMIT_EXCEEDED', maximumAmount: 1000 },
      ]);
      const [same, less] = await Promise.all(
        ids.map(({ transactionId }, index) =>
          deliver(store, transactionId, {
            status: 'delivery',
            transactionAmount: 1000 - index * 200,
          }),
        ),
      );

      expect([same?.status, less?.status]).toEqual([200, 200]);
      expect(await transactions.usedCents(cornerStoreId)).toBe(280_000);
      await transactions.checkLedger();
    },
  );

  it('looks at the order before the body', async () => {
    const store = await transactions.createCornerStore();
    const { body: pending } = await transactions.order(store);
    const { transactionId } = await orderOnHold(transactions, store);

    const answers = [
      await deliver(store, pending.transactionId, {}),
      await deliver(store, transactionId, {}),
      await deliver(store, transactionId, { transactionAmount: 0, status: 'paid' }),
    ];

    expect(answers.map(({ status, body }) => [status, body.errorCode ?? body.message])).toEqual([
      [422, 'TRANSACTION_IS_NOT_IN_HOLD'],
      [400, 'TRANSACTION_AMOUNT_NOT_FOUND'],
      [
        400,
        [
          'status must be delivery',
          'transactionAmount must be an amount above 0 and at most 100000000 with at most two decimals',
        ],
      ],
    ]);
  });
});
