import { brokenInvariants } from './support/invariants';
import { credit as creditOf } from './support/credit-notes';
import { outcomeOf } from './support/orders';
import { closeNow, deliveredOrder } from './support/statements';
import {
  type CornerStore,
  startTransactions,
  type TransactionsService,
} from './support/transactions';

let transactions: TransactionsService;
beforeAll(async () => {
  transactions = await startTransactions();
});
afterAll(async () => {
  expect(await brokenInvariants(transactions)).toEqual([]);
  await transactions.stop();
});

const credit = (store: CornerStore, transactionId: string, body: object) =>
  creditOf(transactions, store, transactionId, { body });

it('of notes with one reference at the same time the order gets one', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await deliveredOrder(transactions, store, 500);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      credit(store, transactionId, { amount: 1, reference: 'DEV-1' }),
    ),
  );
  expect(answers.map(outcomeOf).toSorted()).toEqual([
    '201',
    ...Array.from({ length: 9 }, () => '409 CREDIT_NOTE_ALREADY_EXISTS'),
  ]);
});

it('a note that is given while statements close is on one of them, and is counted once', async () => {
  const store = await transactions.createCornerStore();
  const orders: string[] = [];
  for (let n = 0; n < 5; n += 1) orders.push(await deliveredOrder(transactions, store, 500));
  const closings = Array.from({ length: 2 }, async () => {
    for (let n = 0; n < 5; n += 1) {
      // 503: the other one holds the lock for longer than two seconds.
      expect([200, 503]).toContain((await closeNow(transactions, store)).status);
    }
  });
  const notes = orders.map(async (id) => {
    for (let n = 0; n < 3; n += 1)
      expect((await credit(store, id, { amount: 10 })).status).toBe(201);
  });
  await Promise.all([...closings, ...notes]);
  await closeNow(transactions, store);

  const [lines] = await transactions.rows(
    `SELECT count(*)::int AS notes, count(statement_id)::int AS closed FROM settlement_lines
      WHERE wholesaler_id = $1 AND kind = 'credit-note'`,
    [store.caller.id],
  );
  expect(lines).toEqual({ notes: 15, closed: 15 });
  const [statements] = await transactions.rows(
    `SELECT max(number) = count(*) AS "hasNoGap", sum(gross_cents)::int AS gross,
            sum(lines)::int AS lines FROM statements WHERE wholesaler_id = $1`,
    [store.caller.id],
  );
  expect(statements).toEqual({ hasNoGap: true, gross: 250_000 - 15_000, lines: 20 });
});
