import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ops } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { paymentApplied } from '@fiado/contracts/jobs/debts';
import { transactionsService } from '../src/service';
import { credit } from './support/credit-notes';
import { brokenInvariants } from './support/invariants';
import { orderOnHold, wordOf } from './support/orders';
import { clawBack, closeNow, deliveredOrder } from './support/statements';
import {
  type CornerStore,
  startTransactions,
  type TransactionsService,
} from './support/transactions';

let transactions: TransactionsService;
let owner: Client;
beforeAll(async () => {
  transactions = await startTransactions();
  owner = new Client({ connectionString: transactions.ownerUrl });
  await owner.connect();
  await owner.query('SET search_path = transactions');
});
afterAll(async () => {
  await owner.end();
  await transactions.stop();
});

const HOLD_DAYS = 7;
const storeOnHold = () =>
  transactions.createCornerStore({ settings: { holdUnprovenDays: HOLD_DAYS } });

const get = async (store: CornerStore, path: string) =>
  (await transactions.call(store.caller, 'GET', path)).body;

/** An order of 1,000 pesos that is delivered with its word. */
async function provenOrder(store: CornerStore): Promise<string> {
  const { transactionId } = await orderOnHold(transactions, store);
  const deliveryWord = await wordOf(transactions, transactionId);
  const body = { status: 'delivery', transactionAmount: 1000, deliveryWord };
  const path = `/v1/transaction/${transactionId}`;
  expect((await transactions.call(store.caller, 'PUT', path, { body })).status).toBe(200);
  return transactionId;
}

/** The store pays an order in full. */
const pay = (store: CornerStore, transactionId: string) =>
  transactions.handle(
    paymentApplied,
    { id: randomUUID(), version: 1 },
    {
      paymentId: randomUUID(),
      transactionId,
      cornerStoreId: store.cornerStoreId,
      principalCents: 100_000,
      outstandingCents: 0,
      outstandingPrincipalCents: 0,
      appliedAt: new Date().toISOString(),
    },
  );

/** The orders of the lines of the statement that closes now, with their kinds. */
async function closedLines(store: CornerStore): Promise<unknown[]> {
  const [statement] = (await closeNow(transactions, store)).body.statements;
  if (statement === undefined) return [];
  const { lines } = await get(store, `/v1/statements/${statement.statementId}/lines`);
  return lines.map(({ kind, transactionId }: Record<string, unknown>) => [kind, transactionId]);
}

it('a delivery is proven by its word alone, and says so to its wholesaler', async () => {
  const store = await transactions.createCornerStore();
  await switchEvents(transactions, store.caller.id);
  const proven = await provenOrder(store);
  const unproven = await deliveredOrder(transactions, store, 1000);
  const { transactionId: undelivered } = await orderOnHold(transactions, store);

  const proofs = await Promise.all(
    [proven, unproven, undelivered].map(
      async (id) => (await get(store, `/v1/transaction/${id}`)).deliveryProof,
    ),
  );

  expect(proofs).toEqual(['word', 'none', null]);
  const { transactions: listed } = await get(store, '/v1/transaction?status=delivery');
  expect(listed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ transactionId: proven, deliveryProof: 'word' }),
      expect.objectContaining({ transactionId: unproven, deliveryProof: 'none' }),
    ]),
  );
  const presenters = transactionsService.events?.(transactions.context.config);
  const events = await eventsOf(transactions, presenters, store.caller.id);
  expect(
    events
      .filter(({ type }) => type === 'transaction.delivered')
      .map(({ data }) => data['deliveryProof']),
  ).toEqual(['word', 'none']);
});

it('without a hold, an unproven delivery is in the next statement', async () => {
  const store = await transactions.createCornerStore();
  const order = await deliveredOrder(transactions, store, 1000);
  expect(await closedLines(store)).toEqual([['delivery', order]]);
});

it('an unproven delivery is held, shown with its day, and in the first statement that ends later', async () => {
  const store = await storeOnHold();
  const proven = await provenOrder(store);
  const held = await deliveredOrder(transactions, store, 1000);

  const draft = await get(store, '/v1/statements/draft');
  expect(draft).toMatchObject({ lines: 1, grossAmount: 1000, heldLines: 1, heldAmount: 980 });
  const { lines, nextCursor } = await get(store, '/v1/statements/draft/held-lines');
  const { deliveredAt } = await get(store, `/v1/transaction/${held}`);
  const payableFrom = new Date(Date.parse(deliveredAt) + HOLD_DAYS * 86_400_000).toISOString();
  expect(lines).toMatchObject([
    { kind: 'delivery', transactionId: held, payableFrom, heldBecause: 'unproven', netAmount: 980 },
  ]);
  expect(nextCursor).toBeNull();
  const path = `/v1/admin/statements/draft/held-lines?wholesalerId=${store.caller.id}`;
  expect((await transactions.call(ops('viewer'), 'GET', path)).body).toEqual({ lines, nextCursor });
  const neighbour = await transactions.createCornerStore();
  expect(await get(neighbour, '/v1/statements/draft/held-lines')).toMatchObject({ lines: [] });

  expect(await closedLines(store)).toEqual([['delivery', proven]]);
  expect(await closedLines(store)).toEqual([]);
  await owner.query(`UPDATE settlement_lines SET payable_from = recorded_at WHERE source_id = $1`, [
    held,
  ]);
  expect(await closedLines(store)).toEqual([['delivery', held]]);
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('a changed hold applies to later deliveries only', async () => {
  const store = await transactions.createCornerStore();
  const before = await deliveredOrder(transactions, store, 1000);
  const settings = { holdUnprovenDays: HOLD_DAYS };
  await transactions.createCornerStore({ caller: store.caller, settings, version: 2 });
  await deliveredOrder(transactions, store, 1000);
  expect(await closedLines(store)).toEqual([['delivery', before]]);
});

it('corrections wait with their delivery, and all are free at once when the store has paid', async () => {
  const store = await storeOnHold();
  const order = await deliveredOrder(transactions, store, 1000);
  expect((await credit(transactions, store, order, { body: { amount: 100 } })).status).toBe(201);
  await clawBack(transactions, store, order, 50);
  expect(await get(store, '/v1/statements/draft')).toMatchObject({
    lines: 0,
    amountDue: 0,
    heldLines: 3,
    heldAmount: 833,
  });
  const first = await get(store, '/v1/statements/draft/held-lines?limit=2');
  const second = await get(
    store,
    `/v1/statements/draft/held-lines?limit=2&cursor=${first.nextCursor}`,
  );
  expect([...first.lines, ...second.lines].map(({ kind }) => kind)).toEqual([
    'delivery',
    'credit-note',
    'clawback',
  ]);
  expect(await closedLines(store)).toEqual([]);

  await pay(store, order);

  expect(await closedLines(store)).toEqual([
    ['delivery', order],
    ['credit-note', order],
    ['clawback', order],
  ]);
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('a correction of a delivery that a statement has is not held', async () => {
  const store = await storeOnHold();
  const order = await provenOrder(store);
  expect(await closedLines(store)).toEqual([['delivery', order]]);
  await credit(transactions, store, order, { body: { amount: 100 } });
  expect(await closedLines(store)).toEqual([['credit-note', order]]);
});

it.each([
  ['later', `payable_from + interval '1 day'`],
  ['without an end', 'NULL'],
])('nobody holds a line %s than its delivery says', async (_, value) => {
  const store = await storeOnHold();
  const order = await deliveredOrder(transactions, store, 1000);
  await expect(
    owner.query(`UPDATE settlement_lines SET payable_from = ${value} WHERE source_id = $1`, [
      order,
    ]),
  ).rejects.toThrow('is refused');
});
