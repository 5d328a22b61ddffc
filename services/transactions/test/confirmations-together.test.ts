import { randomUUID } from 'node:crypto';
import { countApiChecks } from '@fiado/chassis/verification/count-check';
import { NOT_LOCKED } from '@fiado/chassis/lanes/lane';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import type { Answer } from '@fiado/chassis/testing/call';
import { inOneBatch, statementsDuring } from '@fiado/chassis/testing/together';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { confirmOrders, type OrderToConfirm } from '../src/codes/confirm-orders.sql';
import { createOrderLanes } from '../src/orders/order-lanes';
import { codeOf, confirm, outcomeOf, verificationPath, type Order } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

/** In the texts of the statements. */
const CONFIRM = 'order_locked';
const COUNT_CHECKS = 'may_be_wrong';
const FIND = 'codeIsVoid';

const transactions = forAllTests(startTransactions);

const db = () => transactions.context.db;
const lanes = () => transactions.context.lanes;

/** An order that waits for its code. */
interface Placed {
  store: CornerStore;
  order: Order;
  code: string;
}

async function place(given?: CornerStore): Promise<Placed> {
  const store = given ?? (await transactions.createCornerStore());
  const { body: order } = await transactions.order(store);
  return { store, order, code: await codeOf(transactions, order.transactionId) };
}

const placeMany = (count: number): Promise<Placed[]> =>
  inFlight(Array.from({ length: count }, () => () => place()));

const confirmation =
  ({ store, order, code }: Placed) =>
  () =>
    confirm(transactions, store, order, code);

const wrongOf = (code: string) => (code === '000000' ? '000001' : '000000');

/** The statuses of these orders, and how many database transactions wrote them last. */
async function writtenOf(placed: Placed[]) {
  const [row] = await transactions.rows<{ transactions: number; statuses: string[] }>(
    `SELECT count(DISTINCT xmin::text) AS transactions, array_agg(DISTINCT status) AS statuses
       FROM transactions WHERE id = ANY($1::uuid[])`,
    [placed.map(({ order }) => order.transactionId)],
  );
  return row;
}

/** How often the codes of these orders were checked. */
async function checksOf(placed: Placed[]): Promise<number[]> {
  const rows = await transactions.rows<{ id: string; checks: number }>(
    'SELECT id, checks FROM verifications WHERE id = ANY($1::uuid[])',
    [placed.map(({ order }) => order.verificationId)],
  );
  const checks = new Map(rows.map((row) => [row.id, row.checks]));
  return placed.map(({ order }) => checks.get(order.verificationId) ?? Number.NaN);
}

it('16 confirmations that wait together are one statement, with words, messages and answers', async () => {
  const placed = await placeMany(16);
  const key = randomUUID();
  const requests = placed.map(
    ({ store, order, code }, n) =>
      () =>
        transactions.call(store.caller, 'PUT', verificationPath(order), {
          body: { errorCode: code },
          headers: n % 2 === 0 ? { 'idempotency-key': `${key} ${n}` } : {},
        }),
  );
  const statements = await statementsDuring(db(), CONFIRM, async () => {
    const answers = await Promise.all(await inOneBatch(lanes().confirmations, requests));
    expect(answers.map(outcomeOf)).toEqual(placed.map(() => '200'));
  });
  expect(statements).toBe(1);
  expect(await writtenOf(placed)).toEqual({ transactions: 1, statuses: ['on-hold'] });
  for (const { order } of placed) {
    expect((await transactions.lastSms(order.transactionId)).values).toHaveProperty('word');
  }
  const states = await transactions.rows(
    `SELECT DISTINCT verification.status, t.version, word.sends FROM transactions t
       JOIN verifications verification ON verification.transaction_id = t.id
       JOIN delivery_words word ON word.transaction_id = t.id WHERE t.id = ANY($1::uuid[])`,
    [placed.map(({ order }) => order.transactionId)],
  );
  expect(states).toEqual([{ status: 'approved', version: 2, sends: 1 }]);

  const again = await Promise.all(requests.map((request) => request()));
  expect(again.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(
    placed.map((_, n) => (n % 2 === 0 ? 'true' : null)),
  );
  expect(await writtenOf(placed)).toEqual({ transactions: 1, statuses: ['on-hold'] });
});

it('each confirmation of a batch has its own outcome', async () => {
  const [held, cancelled, rejected, expired, sent] = (await placeMany(5)) as [
    Placed,
    Placed,
    Placed,
    Placed,
    Placed,
  ];
  const all = [held, cancelled, rejected, expired, sent];
  lanes().confirmations.pause();
  const answers = all.map((placed) => confirmation(placed)());
  await until('all wait', async () => lanes().confirmations.size === all.length);
  // Between the check of the code and the confirmation.
  const { transactionId } = cancelled.order;
  await transactions.call(
    cancelled.store.caller,
    'POST',
    `/v1/transaction/${transactionId}/cancel`,
  );
  await transactions.rows('UPDATE credit_lines SET overdue = true WHERE corner_store_id = $1', [
    rejected.store.cornerStoreId,
  ]);
  await transactions.rows('UPDATE verifications SET expires_at = now() WHERE id = $1', [
    expired.order.verificationId,
  ]);
  await transactions.rows(`UPDATE verifications SET code_salt = 'another' WHERE id = $1`, [
    sent.order.verificationId,
  ]);
  transactions.accounts.up = false;
  lanes().confirmations.resume();

  const outcomes = (await Promise.all(answers)).map(
    ({ status, body }) => `${status} ${body.reason ?? ''}`,
  );
  transactions.accounts.up = true;
  expect(outcomes).toEqual([
    '200 ',
    '422 cancelled',
    '422 store-not-eligible',
    '422 expired',
    '422 expired',
  ]);
  expect(await writtenOf([rejected, expired, sent])).toMatchObject({
    statuses: ['pending-verification'],
  });
  // A right code uses no check up, whatever became of its order.
  expect(await checksOf(all)).toEqual([0, 0, 0, 0, 0]);
});

it('a locked order, line or verification delays only its own confirmation', async () => {
  const placed = await placeMany(7);
  const [ofOrder, ofLine, ofCode, ...free] = placed as [Placed, Placed, Placed, ...Placed[]];
  let delayed: Array<Promise<Answer>> = [];
  await db().transaction(async ({ connection }) => {
    for (const [table, key, id] of [
      ['transactions', 'id', ofOrder.order.transactionId],
      ['credit_lines', 'corner_store_id', ofLine.store.cornerStoreId],
    ]) {
      await connection.query(`SELECT FROM ${table} WHERE ${key} = $1 FOR NO KEY UPDATE`, [id]);
    }
    lanes().confirmations.pause();
    const answers = placed.map((one) => confirmation(one)());
    await until('all wait', async () => lanes().confirmations.size === placed.length);
    await connection.query('SELECT FROM verifications WHERE id = $1 FOR NO KEY UPDATE', [
      ofCode.order.verificationId,
    ]);
    lanes().confirmations.resume();
    delayed = answers.slice(0, 3);
    const others = await Promise.all(answers.slice(3));
    expect(others.map(outcomeOf)).toEqual(free.map(() => '200'));
    expect(await writtenOf(free)).toEqual({ transactions: 1, statuses: ['on-hold'] });
    expect(await writtenOf([ofOrder, ofLine, ofCode])).toMatchObject({
      statuses: ['pending-verification'],
    });
  });
  expect((await Promise.all(delayed)).map(outcomeOf)).toEqual(['200', '200', '200']);
});

it('of two confirmations of one order in one lane one is refused alone, and neither uses a check up', async () => {
  const placed = await placeMany(4);
  const [twice] = placed as [Placed];
  const requests = [...placed, twice].map(confirmation);
  const answers = await Promise.all(await inOneBatch(lanes().confirmations, requests));

  expect(answers.map(outcomeOf).toSorted()).toEqual([
    ...placed.map(() => '200'),
    '422 TRANSACTION_IS_VERIFIED',
  ]);
  expect(await writtenOf(placed)).toEqual({ transactions: 1, statuses: ['on-hold'] });
  expect(await checksOf(placed)).toEqual([0, 0, 0, 0]);
});

it('a confirmation that its statement fails for is refused alone', async () => {
  const placed = await placeMany(4);
  const { confirmations } = lanes();
  const add = confirmations.add.bind(confirmations);
  // A defect: a word for no number of changes, which the row refuses.
  const spy = jest.spyOn(confirmations, 'add').mockImplementation((item) => {
    const isBroken = item.id === placed[1]?.order.transactionId;
    return add(isBroken ? { ...item, phoneChanges: 1e12 } : item);
  });
  try {
    const answers = await Promise.all(await inOneBatch(confirmations, placed.map(confirmation)));
    expect(answers.map(({ status }) => status)).toEqual([200, 500, 200, 200]);
  } finally {
    spy.mockRestore();
  }
  expect(await checksOf(placed)).toEqual([0, 0, 0, 0]);
  expect(await writtenOf([placed[1] as Placed])).toMatchObject({
    statuses: ['pending-verification'],
  });
});

it('16 checks that wait together are counted by one statement, wrong ones too', async () => {
  const placed = (await placeMany(16)).map((one, n) =>
    n % 4 === 0 ? { ...one, code: wrongOf(one.code) } : one,
  );
  const statements = await statementsDuring(db(), COUNT_CHECKS, async () => {
    const answers = await Promise.all(
      await inOneBatch(lanes().codeChecks, placed.map(confirmation)),
    );
    expect(answers.map(outcomeOf)).toEqual(
      placed.map((_, n) => (n % 4 === 0 ? '422 VERIFICATION_NOT_VALID' : '200')),
    );
    expect(answers.map(({ body }) => body.checksLeft)).toEqual(
      placed.map((_, n) => (n % 4 === 0 ? 4 : undefined)),
    );
  });
  expect(statements).toBe(1);
  expect(await checksOf(placed)).toEqual(placed.map((_, n) => (n % 4 === 0 ? 1 : 0)));
  const customers = await transactions.rows<{ wrong: number }>(
    `SELECT wrong_codes AS wrong FROM customers WHERE corner_store_id = ANY($1::uuid[])
      ORDER BY array_position($1::uuid[], corner_store_id)`,
    [placed.map(({ store }) => store.cornerStoreId)],
  );
  expect(customers.map(({ wrong }) => wrong)).toEqual(placed.map((_, n) => (n % 4 === 0 ? 1 : 0)));
});

it('wrong codes of one customer in one lane are each counted, until its budget is used up', async () => {
  const first = await place(
    await transactions.createCornerStore({ store: { creditLimitCents: 9_000_000 } }),
  );
  const others = await inFlight(Array.from({ length: 23 }, () => () => place(first.store)));
  const placed = [first, ...others].map((one) => ({ ...one, code: wrongOf(one.code) }));
  const answers = await Promise.all(await inOneBatch(lanes().codeChecks, placed.map(confirmation)));

  const refused = answers.filter((answer) => outcomeOf(answer) === '429 TOO_MANY_ATTEMPTS');
  expect(refused).toHaveLength(4);
  expect((await checksOf(placed)).filter((checks) => checks === 1)).toHaveLength(20);
});

it('checks wait for no lock of another database transaction, and are then counted alone', async () => {
  const [ofCode, ofCustomer, free] = (await placeMany(3)) as [Placed, Placed, Placed];
  const checks = await Promise.all(
    [ofCode, ofCustomer, free].map(async ({ store, order }) => {
      const [row] = await transactions.rows<{ salt: Buffer }>(
        'SELECT code_salt AS salt FROM verifications WHERE id = $1',
        [order.verificationId],
      );
      return {
        wholesalerId: store.caller.id,
        cornerStoreId: store.cornerStoreId,
        verificationId: order.verificationId,
        salt: row?.salt as Buffer,
        isWrong: true,
      };
    }),
  );
  let delayed: Promise<unknown> | undefined;
  await db().transaction(async ({ connection }) => {
    await connection.query('SELECT FROM verifications WHERE id = $1 FOR UPDATE', [
      ofCode.order.verificationId,
    ]);
    await connection.query('SELECT FROM customers WHERE corner_store_id = $1 FOR UPDATE', [
      ofCustomer.store.cornerStoreId,
    ]);
    expect(await countApiChecks(db(), checks)).toEqual([
      NOT_LOCKED,
      NOT_LOCKED,
      { outcome: 'counted', checksLeft: 4 },
    ]);
    const [first, second, third] = await inOneBatch(
      lanes().codeChecks,
      checks.map((check) => () => lanes().codeChecks.add(check)),
    );
    delayed = Promise.all([first, second]);
    expect(await third).toEqual({ outcome: 'counted', checksLeft: 3 });
    expect(await checksOf([ofCode, ofCustomer])).toEqual([0, 0]);
  });
  expect(await delayed).toEqual([
    { outcome: 'counted', checksLeft: 4 },
    { outcome: 'counted', checksLeft: 4 },
  ]);
});

it('a confirmation alone finds its order, counts its check and confirms in one statement each', async () => {
  for (const text of [FIND, COUNT_CHECKS, CONFIRM]) {
    const placed = await place();
    expect(await statementsDuring(db(), text, confirmation(placed))).toBe(1);
  }
});

it('two instances with the same orders and keys in opposite order confirm each once', async () => {
  const placed = await placeMany(16);
  const items = await Promise.all(
    placed.map(async ({ store, order }, n): Promise<OrderToConfirm> => {
      const [row] = await transactions.rows<{ salt: Buffer }>(
        'SELECT code_salt AS salt FROM verifications WHERE id = $1',
        [order.verificationId],
      );
      return {
        id: order.transactionId,
        wholesalerId: store.caller.id,
        verificationId: order.verificationId,
        codeSalt: row?.salt as Buffer,
        expiresAt: new Date(),
        wordSealed: Buffer.from('sealed'),
        phoneChanges: 0,
        jobs: [],
        answer:
          n % 2 === 0
            ? undefined
            : {
                id: Buffer.from(`key of ${order.transactionId}`),
                requestHash: Buffer.from('request'),
                status: 200,
                body: '{}',
              },
      };
    }),
  );
  const here = createOrderLanes(db()).confirmations;
  const there = createOrderLanes(db()).confirmations;
  here.pause();
  there.pause();
  const outcomes = [
    ...items.map((item) => here.add(item)),
    ...items.toReversed().map((item) => there.add(item)),
  ].map((added) => added.catch((error: { code?: string }) => error.code));
  here.resume();
  there.resume();
  const settled = await Promise.all(outcomes);
  expect(settled.filter((outcome) => outcome === 'confirmed')).toHaveLength(16);
  // The others are refused for the order's status, before their key is written.
  expect(settled.filter((outcome) => outcome === 'not-pending')).toHaveLength(16);
  expect(
    await confirmOrders.many(
      db(),
      items.filter(({ answer }) => answer === undefined),
    ),
  ).toEqual(Array.from({ length: 8 }, () => 'not-pending'));
});
