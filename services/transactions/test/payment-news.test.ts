import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { defaultsChanged, paymentApplied, paymentReversed } from '@fiado/contracts/jobs/debts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { transactionsService } from '../src/service';
import { orderOnHold } from './support/orders';
import { type CornerStore, startTransactions } from './support/transactions';

/** Of MD5. */
const DIGEST = /^[\da-f]{32}$/;

const transactions = forAllTests(startTransactions);

async function delivered(store: CornerStore): Promise<string> {
  const { transactionId } = await orderOnHold(transactions, store);
  await transactions.call(store.caller, 'PUT', `/v1/transaction/${transactionId}`, {
    body: { status: 'delivery', transactionAmount: 1000 },
  });
  return transactionId;
}

const receivable = randomUUID();
const applied = (store: CornerStore, transactionId: string, version: number) =>
  transactions.deliver(
    paymentApplied,
    { id: receivable, version },
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
const reversed = (store: CornerStore, transactionId: string, version: number) =>
  transactions.deliver(
    paymentReversed,
    { id: receivable, version },
    {
      paymentId: randomUUID(),
      transactionId,
      cornerStoreId: store.cornerStoreId,
      principalCents: 100_000,
      outstandingCents: 105_800,
      outstandingPrincipalCents: 100_000,
      reversedAt: new Date().toISOString(),
    },
  );
const defaults = (
  store: CornerStore,
  version: number,
  news: { opened?: string[]; closed?: string[] },
) =>
  transactions.deliver(
    defaultsChanged,
    { id: store.cornerStoreId, version },
    {
      cornerStoreId: store.cornerStoreId,
      overdueCount: news.opened?.length ?? 0,
      oldestDueAt: null,
      opened: news.opened ?? [],
      closed: news.closed ?? [],
    },
  );

it('a reversed payment is in use again, and the transaction is no longer paid', async () => {
  const store = await transactions.createCornerStore({ store: { creditLimitCents: 100_000 } });
  const transactionId = await delivered(store);
  await applied(store, transactionId, 2);
  expect(await transactions.statusOf(store, transactionId)).toBe('paid');
  expect((await transactions.order(store)).status).toBe(201);

  await reversed(store, transactionId, 3);

  expect(await transactions.statusOf(store, transactionId)).toBe('delivery');
  // Beyond the limit: money that was taken back is a fact.
  expect(await transactions.usedCents(store.cornerStoreId)).toBe(200_000);
  await transactions.checkLedger();
});

it('being overdue freezes the line and shows on the transaction until it is cleared', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await delivered(store);

  await defaults(store, 1, { opened: [transactionId] });
  expect(await transactions.statusOf(store, transactionId)).toBe('in-payment-default');
  const frozen = await transactions.order(store);
  expect([frozen.status, frozen.body.errorCode]).toEqual([422, 'USER_IS_IN_DEFAULT']);

  await defaults(store, 2, { closed: [transactionId] });
  expect(await transactions.statusOf(store, transactionId)).toBe('delivery');
  expect((await transactions.order(store)).status).toBe(201);
});

it('ends in the same state in any order of events', async () => {
  const store = await transactions.createCornerStore();
  const orders = [
    ['applied', 'reversed', 'opened'],
    ['opened', 'applied', 'reversed'],
    ['reversed', 'opened', 'applied'],
    ['opened', 'reversed', 'applied'],
  ];
  // Before the first default freezes the line.
  const transactionIds: string[] = [];
  for (const _ of orders) transactionIds.push(await delivered(store));
  let version = 10;
  for (const order of orders) {
    const transactionId = transactionIds[version - 10] ?? '';
    version += 1;
    for (const news of order) {
      if (news === 'applied') await applied(store, transactionId, 2);
      if (news === 'reversed') await reversed(store, transactionId, 3);
      if (news === 'opened') await defaults(store, version, { opened: [transactionId] });
    }
    expect([order, await transactions.statusOf(store, transactionId)]).toEqual([
      order,
      'in-payment-default',
    ]);
  }
  await transactions.checkLedger();
});

it('shows its invariants and its sums', async () => {
  const store = await transactions.createCornerStore();
  const transactionId = await delivered(store);
  await transactions.order(store);
  await applied(store, transactionId, 2);
  const path = '/v1/admin/invariants/transactions';

  const report = await transactions.call(ops(), 'GET', path);
  const sums = await transactions.call(ops(), 'GET', `${path}/corner-stores?limit=1000`);

  expect(report.body.service).toBe('transactions');
  for (const check of report.body.checks) expect(check).toMatchObject({ holds: true });
  const line = sums.body.cornerStores.find(
    ({ cornerStoreId }: { cornerStoreId: string }) => cornerStoreId === store.cornerStoreId,
  );
  expect(line).toEqual({
    cornerStoreId: store.cornerStoreId,
    userId: store.userId,
    version: 1,
    phoneDigest: expect.stringMatching(DIGEST),
    limitCents: 1_000_000,
    interestRate: '0.05',
    status: 'approved',
    overdue: false,
    overdueVersion: 0,
    usedCents: 100_000,
    heldCents: 100_000,
    debts: 1,
    debtsDigest: expect.stringMatching(DIGEST),
    customersDigest: expect.stringMatching(DIGEST),
    settingsDigest: expect.stringMatching(DIGEST),
  });

  const listed = await transactions.call(
    ops(),
    'GET',
    `${path}/debts?cornerStoreId=${store.cornerStoreId}`,
  );
  expect(listed.body.debts).toEqual([
    {
      transactionId,
      wholesalerId: store.caller.id,
      userId: store.userId,
      externalId: 'tienda-1',
      principalCents: 100_000,
      interestCents: 5_000,
      ivaCents: 800,
      dueAt: expect.any(String),
      paid: true,
      inDefault: false,
      owedPrincipalCents: 0,
      creditedCents: 0,
      settledNotes: 0,
      disputed: false,
      laterDays: 0,
      version: 2,
    },
  ]);
  // Paid, and not due any more.
  const later = new Date(Date.now() + 365 * 86_400_000).toISOString();
  const open = `${path}/debts?cornerStoreId=${store.cornerStoreId}&since=${later}`;
  expect((await transactions.call(ops(), 'GET', open)).body.debts).toEqual([]);

  await transactions.rows(
    'UPDATE credit_lines SET used_cents = used_cents + 1 WHERE corner_store_id = $1',
    [store.cornerStoreId],
  );
  const broken = await transactions.call(ops(), 'GET', path);
  expect(broken.body.checks[0]).toEqual({
    name: expect.any(String),
    holds: false,
    violations: [expect.objectContaining({ cornerStoreId: store.cornerStoreId })],
  });
});

it('keeps the ledger append-only, for the service itself and for the owner', async () => {
  await expect(transactions.rows('UPDATE credit_entries SET amount_cents = 0')).rejects.toThrow(
    /permission denied/,
  );
  await expect(transactions.rows('DELETE FROM credit_entries')).rejects.toThrow(
    /permission denied/,
  );
});

it('a reversed payment undoes the paid order, and paying again is published again', async () => {
  const store = await transactions.createCornerStore();
  await switchEvents(transactions, store.caller.id);
  const transactionId = await delivered(store);
  await applied(store, transactionId, 2);
  await reversed(store, transactionId, 3);
  // It is owed already: nothing that was told is undone.
  await reversed(store, transactionId, 4);
  await applied(store, transactionId, 5);

  const events = await eventsOf(
    transactions,
    transactionsService.events?.(transactions.context.config),
    store.caller.id,
  );
  const told = events.slice(-3);
  expect(told.map(({ type, data }) => [type, data.transactionStatus])).toEqual([
    ['transaction.paid', 'paid'],
    ['transaction.payment-reversed', 'delivery'],
    ['transaction.paid', 'paid'],
  ]);
  const versions = told.map(({ data }) => Number(data.version));
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
});
