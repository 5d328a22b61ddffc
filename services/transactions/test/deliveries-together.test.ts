import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { inOneBatch, statementsDuring } from '@fiado/chassis/testing/together';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { orderOnHold, outcomeOf, wordOf } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

/** In the texts of the statements. */
const DELIVER = 'paymentDueOn';
const FIND = 'deliveryWordRequired';

const transactions = forAllTests(startTransactions);

const db = () => transactions.context.db;
const deliveries = () => transactions.context.lanes.deliveries;

/** An order of 1,000 pesos that is on hold. */
interface Confirmed {
  store: CornerStore;
  transactionId: string;
}

async function confirmOne(): Promise<Confirmed> {
  const store = await transactions.createCornerStore();
  return { store, transactionId: (await orderOnHold(transactions, store)).transactionId };
}

const confirmMany = (count: number): Promise<Confirmed[]> =>
  inFlight(Array.from({ length: count }, () => confirmOne));

const delivery =
  ({ store, transactionId }: Confirmed, body: object = {}, headers = {}) =>
  (): Promise<Answer> =>
    transactions.call(store.caller, 'PUT', `/v1/transaction/${transactionId}`, {
      body: { status: 'delivery', transactionAmount: 1000, ...body },
      headers,
    });

/** The statuses of these orders, and how many database transactions wrote them last. */
async function writtenOf(orders: Confirmed[]) {
  const [row] = await transactions.rows<{ transactions: number; statuses: string[] }>(
    `SELECT count(DISTINCT xmin::text) AS transactions, array_agg(DISTINCT status) AS statuses
       FROM transactions WHERE id = ANY($1::uuid[])`,
    [orders.map(({ transactionId }) => transactionId)],
  );
  return row;
}

it('16 deliveries that wait together are one statement, each with its amount, debt and answer', async () => {
  const orders = await confirmMany(16);
  const key = randomUUID();
  // Less, the same and more than was ordered, in turns.
  const amountOf = (n: number) => 900 + (n % 3) * 100;
  const requests = orders.map((order, n) =>
    delivery(
      order,
      { transactionAmount: amountOf(n) },
      n % 2 === 0 ? { 'idempotency-key': `${key} ${n}` } : {},
    ),
  );
  const statements = await statementsDuring(db(), DELIVER, async () => {
    const answers = await Promise.all(await inOneBatch(deliveries(), requests));
    expect(answers.map(outcomeOf)).toEqual(orders.map(() => '200'));
  });
  expect(statements).toBe(1);
  expect(await writtenOf(orders)).toEqual({ transactions: 1, statuses: ['delivery'] });
  await transactions.checkLedger();
  const booked = await transactions.rows<{ used: number; principal: number; commissions: number }>(
    `SELECT line.used_cents AS used, (debt.data->>'principalCents')::integer AS principal,
            (SELECT sum(amount_cents)::integer FROM commissions
              WHERE transaction_id = t.id AND voided_at IS NULL) AS commissions,
            debt.data->>'deliveredAt' = to_char(t.delivered_at AT TIME ZONE 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "sameTime",
            (debt.data->>'dueAt')::timestamptz = t.payment_due_at AS "sameDue"
       FROM transactions t JOIN credit_lines line USING (corner_store_id)
       JOIN outbox debt ON debt.aggregate_id = t.id AND debt.type = 'transaction.delivered'
      WHERE t.id = ANY($1::uuid[]) ORDER BY array_position($1::uuid[], t.id)`,
    [orders.map(({ transactionId }) => transactionId)],
  );
  expect(booked).toEqual(
    orders.map((_, n) => ({
      used: amountOf(n) * 100,
      principal: amountOf(n) * 100,
      commissions: amountOf(n) * 2,
      sameTime: true,
      sameDue: true,
    })),
  );

  const again = await Promise.all(requests.map((request) => request()));
  expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(
    orders.map((_, n) => (n % 2 === 0 ? 'true' : null)),
  );
  expect(await writtenOf(orders)).toMatchObject({ transactions: 1 });
});

it('each delivery of a batch has its own outcome', async () => {
  const [delivered, cancelled, poor, late] = (await confirmMany(4)) as [
    Confirmed,
    Confirmed,
    Confirmed,
    Confirmed,
  ];
  const requests = [
    delivery(delivered),
    delivery(cancelled),
    delivery(poor, { transactionAmount: 1001 }),
    delivery(late, { transactionAmount: 999 }),
  ];
  const { deliveries: lane } = transactions.context.lanes;
  const add = lane.add.bind(lane);
  // Its day ended while it waited: it is read again, and due a day later.
  const spy = jest.spyOn(lane, 'add').mockImplementation((item) => {
    if (item.id !== late.transactionId) return add(item);
    spy.mockImplementation(add);
    return add({ ...item, dayEndsAt: new Date(0), paymentDueOn: '2001-01-01' });
  });
  lane.pause();
  const answers: Array<Promise<Answer>> = [];
  for (const request of requests.toReversed()) {
    answers.unshift(request());
    await until('it waits', async () => lane.size === answers.length);
  }
  await transactions.call(
    cancelled.store.caller,
    'POST',
    `/v1/transaction/${cancelled.transactionId}/cancel`,
  );
  await transactions.rows('UPDATE credit_lines SET limit_cents = 0 WHERE corner_store_id = $1', [
    poor.store.cornerStoreId,
  ]);
  transactions.accounts.up = false;
  lane.resume();
  const outcomes = (await Promise.all(answers)).map(outcomeOf);
  transactions.accounts.up = true;
  spy.mockRestore();
  expect(outcomes).toEqual([
    '200',
    '422 TRANSACTION_IS_NOT_IN_HOLD',
    '422 CREDIT_LIMIT_EXCEEDED',
    '200',
  ]);
  expect(await transactions.usedCents(poor.store.cornerStoreId)).toBe(100_000);
  expect(await transactions.usedCents(late.store.cornerStoreId)).toBe(99_900);
  const [{ due } = { due: true }] = await transactions.rows<{ due: boolean }>(
    `SELECT payment_due_on > '2020-01-01' AS due FROM transactions WHERE id = $1`,
    [late.transactionId],
  );
  expect(due).toBe(true);
  await transactions.checkLedger();
});

it('a locked order or line delays only its own delivery, and a locked line only one of another amount', async () => {
  const orders = await confirmMany(6);
  const [ofOrder, ofLine, same, ...free] = orders as [Confirmed, Confirmed, Confirmed];
  let delayed: Array<Promise<Answer>> = [];
  await db().transaction(async ({ connection }) => {
    await connection.query('SELECT FROM transactions WHERE id = $1 FOR NO KEY UPDATE', [
      ofOrder.transactionId,
    ]);
    for (const { store } of [ofLine, same]) {
      await connection.query(
        'SELECT FROM credit_lines WHERE corner_store_id = $1 FOR NO KEY UPDATE',
        [store.cornerStoreId],
      );
    }
    const answers = await inOneBatch(
      deliveries(),
      orders.map((order) => delivery(order, { transactionAmount: order === same ? 1000 : 990 })),
    );
    delayed = answers.slice(0, 2);
    const others = await Promise.all(answers.slice(2));
    expect(others.map(outcomeOf)).toEqual(['200', '200', '200', '200']);
    expect(await writtenOf([same, ...free])).toEqual({ transactions: 1, statuses: ['delivery'] });
    expect(await writtenOf([ofOrder, ofLine])).toMatchObject({ statuses: ['on-hold'] });
  });
  expect((await Promise.all(delayed)).map(outcomeOf)).toEqual(['200', '200']);
  await transactions.checkLedger();
});

it('deliveries of one store in one lane each change its line', async () => {
  const store = await transactions.createCornerStore({ store: { creditLimitCents: 9_000_000 } });
  const orders = await inFlight(
    Array.from({ length: 6 }, () => async () => ({
      store,
      transactionId: (await orderOnHold(transactions, store)).transactionId,
    })),
  );
  const requests = orders.map((order) => delivery(order, { transactionAmount: 990 }));
  const answers = await Promise.all(await inOneBatch(deliveries(), requests));

  expect(answers.map(outcomeOf)).toEqual(orders.map(() => '200'));
  expect(await transactions.usedCents(store.cornerStoreId)).toBe(6 * 99_000);
  await transactions.checkLedger();
});

it('of two deliveries of one order in one lane one is refused alone, and the order has one debt', async () => {
  const orders = await confirmMany(4);
  const [twice] = orders as [Confirmed];
  const requests = [...orders, twice].map((order) => delivery(order));
  const answers = await Promise.all(await inOneBatch(deliveries(), requests));

  expect(answers.map(outcomeOf).toSorted()).toEqual([
    ...orders.map(() => '200'),
    '422 TRANSACTION_IS_NOT_IN_HOLD',
  ]);
  expect(await writtenOf(orders)).toEqual({ transactions: 1, statuses: ['delivery'] });
  const [debts] = await transactions.rows<{ count: number }>(
    `SELECT count(*)::int FROM outbox WHERE aggregate_id = $1 AND type = 'transaction.delivered'`,
    [twice.transactionId],
  );
  expect(debts).toEqual({ count: 1 });
  await transactions.checkLedger();
});

it('a delivery that its statement fails for is refused alone, and a wrong word before it counts', async () => {
  const orders = await confirmMany(4);
  const broken = orders[1] as Confirmed;
  await delivery(broken, { deliveryWord: 'equivocada' })();
  const words = await Promise.all(
    orders.map(({ transactionId }) => wordOf(transactions, transactionId)),
  );
  const lane = deliveries();
  const add = lane.add.bind(lane);
  // A defect: a delivery without an amount, which the row refuses.
  const spy = jest.spyOn(lane, 'add').mockImplementation((item) => {
    const isBroken = item.id === broken.transactionId;
    return add(isBroken ? { ...item, paymentDueOn: 'no date' } : item);
  });
  try {
    const requests = orders.map((order, n) => delivery(order, { deliveryWord: words[n] }));
    const answers = await Promise.all(await inOneBatch(lane, requests));
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200, 200]);
  } finally {
    spy.mockRestore();
  }
  const [word] = await transactions.rows<{ wrong: number }>(
    'SELECT wrong_checks_in_all AS wrong FROM delivery_words WHERE transaction_id = $1',
    [broken.transactionId],
  );
  expect(word).toEqual({ wrong: 1 });
  expect(await writtenOf([broken])).toMatchObject({ statuses: ['on-hold'] });
});

it('a delivery alone finds its order and books it in one statement each', async () => {
  for (const text of [FIND, DELIVER]) {
    const order = await confirmOne();
    expect(await statementsDuring(db(), text, delivery(order))).toBe(1);
  }
});
