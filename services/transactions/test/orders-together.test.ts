import { randomUUID } from 'node:crypto';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import type { Answer } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import type { Context } from '../src/context';
import { createOrder } from '../src/orders/create-order';
import { createOrderLanes } from '../src/orders/order-lanes';
import { AN_ORDER, batchItem, outcomeOf, sendBatch } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

/** An advisory lock of the test. */
const WRITING = 4_711;

const transactions = forAllTests(startTransactions);

const createStores = (count: number): Promise<CornerStore[]> =>
  Promise.all(Array.from({ length: count }, () => transactions.createCornerStore()));

const lanes = () => transactions.context.lanes;

const keyOf = ({ cornerStoreId }: CornerStore) => `key of ${cornerStoreId}`;

/** Places orders whose holds wait until all of them do, so that they leave together. */
async function orderTogether<Result>(
  placed: Array<() => Promise<Result>>,
): Promise<Array<Promise<Result>>> {
  lanes().holds.pause();
  const answers = placed.map((place) => place());
  await until('all orders wait', async () => lanes().holds.size === placed.length);
  lanes().holds.resume();
  return answers;
}

/** An order as createTransaction makes it, with an answer to store under that key. */
const placeUnder = (context: Context, store: CornerStore, key: string) =>
  createOrder(
    context,
    {
      ...AN_ORDER,
      amountCents: 100_000,
      wholesalerTransactionId: `order of ${store.cornerStoreId}`,
      deliveryDate: undefined,
      metadata: undefined,
      wholesalerId: store.caller.id,
      cornerStoreId: store.cornerStoreId,
      sendCode: 'now',
    },
    () => ({
      id: Buffer.from(key),
      requestHash: Buffer.from('hash'),
      canonicalHash: Buffer.from('hash'),
      status: 201,
      body: '{}',
    }),
  ).then(
    () => 'created',
    (error: { code?: string }) => error.code,
  );

/** By how many database transactions the orders of these stores were written. */
async function transactionsOf(stores: CornerStore[]): Promise<number | undefined> {
  const [row] = await transactions.rows<{ transactions: number }>(
    `SELECT count(DISTINCT xmin::text) AS transactions FROM transactions
      WHERE corner_store_id = ANY($1::uuid[])`,
    [stores.map(({ cornerStoreId }) => cornerStoreId)],
  );
  return row?.transactions;
}

/** Another store of the same wholesaler. */
const siblingOf = ({ caller }: CornerStore): Promise<CornerStore> =>
  transactions.createCornerStore({
    caller,
    store: { customers: [{ wholesalerId: caller.id, externalId: 'tienda-2' }] },
  });

it('32 orders that wait together are held by one statement', async () => {
  const stores = await createStores(32);
  const answers = await Promise.all(
    await orderTogether(stores.map((store) => () => transactions.order(store))),
  );

  expect(answers.map(({ status }) => status)).toEqual(stores.map(() => 201));
  const written = await transactions.rows<{ transactions: number; orders: number }>(
    `SELECT count(DISTINCT xmin::text) AS transactions, count(*) AS orders
       FROM transactions WHERE corner_store_id = ANY($1::uuid[])`,
    [stores.map(({ cornerStoreId }) => cornerStoreId)],
  );
  expect(written).toEqual([{ transactions: 1, orders: 32 }]);
  for (const { body } of answers) {
    expect(await transactions.lastSms(body.transactionId ?? '')).toMatchObject({
      values: { amountCents: 100_000 },
    });
  }
  await transactions.checkLedger();
});

it('each order of a batch has its own outcome', async () => {
  const [held, poor, busy] = await createStores(3);
  if (held === undefined || poor === undefined || busy === undefined) throw new Error('no stores');
  const id = randomUUID();
  await transactions.order(busy, { wholesalerTransactionId: id });
  lanes().holds.pause();
  const answers = [
    transactions.order(held),
    transactions.order(poor),
    transactions.order(busy, { wholesalerTransactionId: id }),
  ];
  await until('all orders wait', async () => lanes().holds.size === answers.length);
  // Between the check and the hold, another instance used the credit.
  await transactions.rows('UPDATE credit_lines SET limit_cents = 0 WHERE corner_store_id = $1', [
    poor.cornerStoreId,
  ]);
  lanes().holds.resume();

  expect((await Promise.all(answers)).map(outcomeOf)).toEqual([
    '201',
    '422 CREDIT_LIMIT_EXCEEDED',
    '409 DUPLICATED_TRANSACTION',
  ]);
  expect(await transactions.usedCents(poor.cornerStoreId)).toBe(0);
  expect(await transactions.usedCents(busy.cornerStoreId)).toBe(100_000);
});

it('in one lane orders of one store are each counted, and of two with one order id one is refused alone', async () => {
  const [store, ...free] = await createStores(4);
  if (store === undefined) throw new Error('no store');
  const sibling = await siblingOf(store);
  const wholesalerTransactionId = 'twice';
  const { questions } = transactions.accounts;
  const answers = await Promise.all(
    await orderTogether([
      () => transactions.order(store, { wholesalerTransactionId }),
      () => transactions.order(sibling, { wholesalerTransactionId }),
      () => transactions.order(store),
      ...free.map((one) => () => transactions.order(one)),
    ]),
  );
  expect(answers.map(outcomeOf).toSorted()).toEqual([
    ...Array.from({ length: 5 }, () => '201'),
    '409 DUPLICATED_TRANSACTION',
  ]);
  expect(await transactionsOf(free)).toBe(1);
  // None was taken for one without credit, whose terms are looked up again.
  expect(transactions.accounts.questions).toBe(questions);
  const used = [store, sibling].map(({ cornerStoreId }) => transactions.usedCents(cornerStoreId));
  expect((await Promise.all(used)).reduce((sum, cents) => sum + cents)).toBe(200_000);
  await transactions.checkLedger();
});

it('of two orders with one Idempotency-Key in one lane one is refused alone', async () => {
  const [one, another, ...free] = await createStores(5);
  if (one === undefined || another === undefined) throw new Error('no stores');
  const { context } = transactions;
  const outcomes = await Promise.all(
    await orderTogether([
      ...[one, another].map((store) => () => placeUnder(context, store, keyOf(one))),
      ...free.map((store) => () => placeUnder(context, store, keyOf(store))),
    ]),
  );
  expect(outcomes.map(String).toSorted()).toEqual([
    '23505',
    ...[one, ...free].map(() => 'created'),
  ]);
  expect(await transactionsOf(free)).toBe(1);
});

it('a locked credit line delays only its own order', async () => {
  const [locked, ...free] = await createStores(5);
  if (locked === undefined) throw new Error('no store');
  let delayed: Promise<{ status: number }> | undefined;
  await transactions.context.db.transaction(async (tx) => {
    await tx.connection.query('SELECT FROM credit_lines WHERE corner_store_id = $1 FOR UPDATE', [
      locked.cornerStoreId,
    ]);
    const [first, ...others] = await orderTogether(
      [locked, ...free].map((store) => () => transactions.order(store)),
    );
    delayed = first;
    const answers = await Promise.all(others);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    // One statement wrote them: none that waited for the line was repeated without it.
    expect(await transactionsOf(free)).toBe(1);
    expect(await transactions.usedCents(locked.cornerStoreId)).toBe(0);
  });
  expect((await delayed)?.status).toBe(201);
});

it('an order that its statement fails for is refused alone', async () => {
  const stores = await createStores(4);
  const { holds } = lanes();
  // A defect: an order without an amount, which the row refuses.
  const add = holds.add.bind(holds);
  const spy = jest.spyOn(holds, 'add').mockImplementation((item) => {
    const isBroken = item.order.cornerStoreId === stores[1]?.cornerStoreId;
    return add(isBroken ? { ...item, order: { ...item.order, userId: 'no uuid' } } : item);
  });
  try {
    const answers = await Promise.all(
      await orderTogether(stores.map((store) => () => transactions.order(store))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 500, 201, 201]);
  } finally {
    spy.mockRestore();
  }
});

it('orders of other wholesalers are placed although the statement they share times out for one', async () => {
  const stores = await createStores(4);
  const slow = stores[1];
  if (slow === undefined) throw new Error('no store');
  await asOwner(transactions.ownerUrl, async (owner) => {
    try {
      await owner.query(`
        CREATE FUNCTION transactions.be_slow() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_sleep(20); RETURN NEW; END';
        CREATE TRIGGER slow BEFORE INSERT ON transactions.transactions FOR EACH ROW
          WHEN (NEW.corner_store_id = '${slow.cornerStoreId}')
          EXECUTE FUNCTION transactions.be_slow()`);
      const answers = await Promise.all(
        await orderTogether(stores.map((store) => () => transactions.order(store))),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 503, 201, 201]);
    } finally {
      await owner.query('DROP FUNCTION transactions.be_slow CASCADE');
    }
  });
});

it('two instances with the same stores, order ids and keys in opposite order double nothing', async () => {
  const stores = await createStores(16);
  const other: Context = {
    ...transactions.context,
    lanes: createOrderLanes(transactions.context.db),
  };
  for (const context of [transactions.context, other]) context.lanes.holds.pause();
  const here = stores.map((store) => placeUnder(transactions.context, store, keyOf(store)));
  const there = stores.toReversed().map((store) => placeUnder(other, store, keyOf(store)));
  await until('all orders wait', async () =>
    [transactions.context, other].every(({ lanes: { holds } }) => holds.size === stores.length),
  );
  for (const context of [transactions.context, other]) context.lanes.holds.resume();
  const outcomes = await Promise.all([...here, ...there]);

  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(16);
  // The others are refused for their order id, or for their key, whose answer is then repeated.
  const refused = outcomes.filter((outcome) => outcome !== 'created');
  expect(['DUPLICATED_TRANSACTION', '23505']).toEqual(expect.arrayContaining(refused));
  for (const store of stores) {
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
  }
  await transactions.checkLedger();
});

it('an order whose id a batch of its wholesaler is writing delays only itself', async () => {
  const [first, ...free] = await createStores(4);
  if (first === undefined) throw new Error('no store');
  const sibling = await siblingOf(first);
  const wholesalerTransactionId = 'in a batch';
  await asOwner(transactions.ownerUrl, async (owner) => {
    try {
      // The batch has written its first order, and waits with the second one.
      await owner.query(`
        CREATE FUNCTION transactions.wait() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock(${WRITING}); RETURN NEW; END';
        CREATE TRIGGER waits BEFORE INSERT ON transactions.transactions FOR EACH ROW
          WHEN (NEW.wholesaler_transaction_id = 'waits')
          EXECUTE FUNCTION transactions.wait();
        SELECT pg_advisory_lock(${WRITING})`);
      const batch = sendBatch(transactions, first, [
        batchItem(first.cornerStoreId, { wholesalerTransactionId }),
        batchItem(first.cornerStoreId, { wholesalerTransactionId: 'waits' }),
      ]);
      await until('the batch waits', async () => {
        const [row] = await transactions.rows<{ waits: boolean }>(
          `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1
                             AND NOT granted) AS waits`,
          [WRITING],
        );
        return row?.waits === true;
      });
      const [delayed, ...others] = await orderTogether([
        () => transactions.order(sibling, { wholesalerTransactionId }),
        ...free.map((store) => () => transactions.order(store)),
      ]);
      const answers = await Promise.all(others);
      expect(answers.map(({ status }) => status)).toEqual(free.map(() => 201));
      await owner.query('SELECT pg_advisory_unlock_all()');
      expect((await batch).body).toMatchObject([{ status: 'accepted' }, { status: 'accepted' }]);
      expect(outcomeOf((await delayed) as Answer)).toBe('409 DUPLICATED_TRANSACTION');
    } finally {
      await owner.query('SELECT pg_advisory_unlock_all()');
      await owner.query('DROP FUNCTION transactions.wait CASCADE');
    }
  });
});

it('a repeated request gets its stored answer, and the orders that came with it leave in one statement', async () => {
  const [repeating, ...others] = await createStores(4);
  if (repeating === undefined) throw new Error('no store');
  const key = { 'idempotency-key': randomUUID() };
  const first = await transactions.order(repeating, {}, key);
  const [again, ...answers] = await Promise.all(
    await orderTogether([
      () => transactions.order(repeating, {}, key),
      ...others.map((store) => () => transactions.order(store)),
    ]),
  );

  expect(again?.body).toEqual(first.body);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await transactionsOf(others)).toBe(1);
  expect(await transactions.usedCents(repeating.cornerStoreId)).toBe(100_000);
});
