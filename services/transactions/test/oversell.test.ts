import { randomUUID } from 'node:crypto';
import { inFlight, interleaved } from '@fiado/chassis/testing/in-flight';
import { forAllTests } from '../../../test/support/for-all-tests';
import { AN_ORDER, batchItem, sendBatch } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

it('accepts exactly as many of 40 parallel orders as the line carries', async () => {
  const store = await transactions.createCornerStore({ store: { creditLimitCents: 200_000 } });

  const answers = await inFlight(
    Array.from({ length: 40 }, () => () => transactions.order(store, { totalAmount: 100 })),
  );

  const refused = answers.filter(({ status }) => status !== 201);
  expect(answers.length - refused.length).toBe(20);
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.errorCode}`))).toEqual(
    new Set(['422 CREDIT_LIMIT_EXCEEDED']),
  );
  expect(await transactions.usedCents(store.cornerStoreId)).toBe(200_000);
  await transactions.checkLedger();
});

it('accepts exactly 50 of 200 parallel singles, batch items and links', async () => {
  const store = await transactions.createCornerStore({ store: { creditLimitCents: 500_000 } });
  const order = { cornerStoreId: store.cornerStoreId, ...AN_ORDER, totalAmount: 100 };
  const single = () => transactions.call(store.caller, 'POST', '/v1/transaction', { body: order });
  const link = () =>
    transactions.call(store.caller, 'POST', '/v1/link/external/tienda-1', {
      body: { transaction: order },
    });
  const batch = () =>
    sendBatch(
      transactions,
      store,
      Array.from({ length: 10 }, () => batchItem(store.cornerStoreId, { totalAmount: 100 })),
    );

  const answers = await inFlight(
    interleaved(
      Array.from({ length: 60 }, () => single),
      Array.from({ length: 8 }, () => batch),
      Array.from({ length: 60 }, () => link),
    ),
  );

  const outcomes = answers.flatMap(({ status, body }) =>
    Array.isArray(body)
      ? body.map((item) => item.rejectionReasons?.join() ?? 'accepted')
      : [status === 201 ? 'accepted' : `${status} ${body.errorCode}`],
  );
  expect(outcomes).toHaveLength(200);
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(50);
  expect(new Set(outcomes)).toEqual(
    new Set(['accepted', '422 CREDIT_LIMIT_EXCEEDED', 'INSUFFICIENT_CREDIT']),
  );
  expect(await transactions.usedCents(store.cornerStoreId)).toBe(500_000);
  await transactions.checkLedger();
});

it('16 parallel batches in opposite orders do not deadlock', async () => {
  const store = await transactions.createCornerStore();
  const { caller } = store;
  const stores = [];
  for (let i = 0; i < 10; i += 1) {
    const customers = [{ wholesalerId: caller.id, externalId: randomUUID() }];
    stores.push(await transactions.createCornerStore({ caller, store: { customers } }));
  }
  const forwards = stores.map(({ cornerStoreId }) =>
    batchItem(cornerStoreId, { totalAmount: 100 }),
  );
  const backwards = forwards.toReversed();

  const answers = await inFlight(
    Array.from(
      { length: 16 },
      (_, i) => () => sendBatch(transactions, store, i % 2 === 0 ? forwards : backwards),
    ),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { cornerStoreId } of stores) {
    expect(await transactions.usedCents(cornerStoreId)).toBe(160_000);
  }
  await transactions.checkLedger();
});
