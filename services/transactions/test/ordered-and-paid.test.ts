import { randomUUID } from 'node:crypto';
import { paymentApplied, paymentReversed } from '@fiado/contracts/jobs/debts';
import { forAllTests } from '../../../test/support/for-all-tests';
import { orderOnHold } from './support/orders';
import { type CornerStore, startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

async function deliver(store: CornerStore, transactionId: string, transactionAmount: number) {
  const { status } = await transactions.call(
    store.caller,
    'PUT',
    `/v1/transaction/${transactionId}`,
    { body: { status: 'delivery', transactionAmount } },
  );
  expect(status).toBe(200);
}

/** The payment that settles an order, or its reversal. */
function pay(store: CornerStore, transactionId: string, version: number, appliedAt?: string) {
  const change = {
    paymentId: randomUUID(),
    transactionId,
    cornerStoreId: store.cornerStoreId,
    principalCents: 90_000,
  };
  const key = { id: transactionId, version };
  return appliedAt === undefined
    ? transactions.handle(paymentReversed, key, {
        ...change,
        outstandingCents: 95_000,
        outstandingPrincipalCents: 90_000,
        reversedAt: new Date().toISOString(),
      })
    : transactions.handle(paymentApplied, key, {
        ...change,
        outstandingCents: 0,
        outstandingPrincipalCents: 0,
        appliedAt,
      });
}

/** What getTransaction shows of the amounts and times of an order. */
async function shown(store: CornerStore, transactionId: string) {
  const path = `/v1/transaction/${transactionId}`;
  const { body } = await transactions.call(store.caller, 'GET', path);
  const { totalAmount, orderedAmount, deliveredAt, paidAt } = body;
  return { totalAmount, orderedAmount, deliveredAt, paidAt };
}

async function listed(store: CornerStore, query: string): Promise<string[]> {
  const path = `/v1/transaction?${query}`;
  const { status, body } = await transactions.call(store.caller, 'GET', path);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.transactions.map((t: { transactionId: string }) => t.transactionId);
}

it('a transaction keeps what was ordered, and has the times of its delivery and payment', async () => {
  const store = await transactions.createCornerStore();
  const { transactionId } = await orderOnHold(transactions, store);
  const ordered = { totalAmount: 1000, orderedAmount: 1000, deliveredAt: null, paidAt: null };
  expect(await shown(store, transactionId)).toEqual(ordered);

  await deliver(store, transactionId, 900);
  const deliveredAt: string = (await shown(store, transactionId)).deliveredAt;
  expect(Date.now() - Date.parse(deliveredAt)).toBeLessThan(60_000);
  const delivered = { ...ordered, totalAmount: 900, deliveredAt };
  expect(await shown(store, transactionId)).toEqual(delivered);

  const paidAt = '2026-12-01T16:15:01.234Z';
  await pay(store, transactionId, 3, paidAt);
  expect(await shown(store, transactionId)).toEqual({ ...delivered, paidAt });

  // Older news, which arrive late, and a reversal.
  await pay(store, transactionId, 2, '2026-11-30T10:00:00.000Z');
  expect(await shown(store, transactionId)).toEqual({ ...delivered, paidAt });
  await pay(store, transactionId, 4);
  expect(await shown(store, transactionId)).toEqual(delivered);
});

it('what release 1.0.0 did not keep of a transaction is null', async () => {
  const store = await transactions.createCornerStore();
  const { transactionId } = await orderOnHold(transactions, store);
  await deliver(store, transactionId, 900);
  await pay(store, transactionId, 2, '2026-12-01T16:15:01.234Z');
  await transactions.rows(
    'UPDATE transactions SET ordered_cents = NULL, paid_at = NULL WHERE id = $1',
    [transactionId],
  );
  expect(await shown(store, transactionId)).toMatchObject({ orderedAmount: null, paidAt: null });
});

it('getTransactionByWholesalerId has the fields of the specification and no other', async () => {
  const store = await transactions.createCornerStore();
  await orderOnHold(transactions, store, { wholesalerTransactionId: 'PED-1' });
  const path = '/v1/transaction/external/PED-1';
  const { body } = await transactions.call(store.caller, 'GET', path);
  expect(Object.keys(body)).toEqual([
    'transactionId',
    'cornerStoreId',
    'userId',
    'transactionStatus',
    'wholesalerTransactionId',
    'movementDate',
    'totalAmount',
    'interests',
    'IVAAmount',
    'totalAmountWithInterests',
    'paymentDate',
    'deliveryDate',
    'products',
    'metadata',
    'wholesaler',
  ]);
});

it('lists are filtered by store, and by the time of delivery and of payment', async () => {
  const store = await transactions.createCornerStore();
  const { caller } = store;
  const customers = [{ wholesalerId: caller.id, externalId: 'tienda-2' }];
  const other = await transactions.createCornerStore({ caller, store: { customers } });
  const { transactionId: early } = await orderOnHold(transactions, store);
  const { transactionId: late } = await orderOnHold(transactions, store);
  const { transactionId: open } = await orderOnHold(transactions, store);
  const { transactionId: elsewhere } = await orderOnHold(transactions, other);
  for (const [id, createdAt, deliveredAt, paidAt] of [
    [early, '2026-01-01', '2026-01-05T18:00:00Z', '2026-01-20T18:00:00Z'],
    [late, '2026-01-02', '2026-02-05T18:00:00Z', null],
  ]) {
    await transactions.rows(
      `UPDATE transactions
          SET status = CASE WHEN $4::timestamptz IS NULL THEN 'delivery' ELSE 'paid' END,
              created_at = $2, delivered_at = $3, paid_at = $4
        WHERE id = $1`,
      [id, createdAt, deliveredAt, paidAt],
    );
  }

  expect(await listed(store, `cornerStoreId=${store.cornerStoreId}`)).toEqual([open, late, early]);
  expect(await listed(store, `cornerStoreId=${other.cornerStoreId}`)).toEqual([elsewhere]);
  expect(await listed(store, `cornerStoreId=${randomUUID()}`)).toEqual([]);
  expect(await listed(store, 'deliveredFrom=2026-01-01')).toEqual([late, early]);
  expect(await listed(store, 'deliveredFrom=2026-01-01&deliveredTo=2026-02-01')).toEqual([early]);
  // A date is the start of that day in Mexico City.
  expect(await listed(store, 'deliveredTo=2026-01-05')).toEqual([]);
  expect(await listed(store, 'paidFrom=2026-01-20&paidTo=2026-01-21')).toEqual([early]);
  expect(await listed(store, 'paidFrom=2026-02-01')).toEqual([]);
  const changed = `updatedSince=2020-01-01&cornerStoreId=${store.cornerStoreId}`;
  expect(await listed(store, `${changed}&deliveredFrom=2026-01-01`)).toEqual([early, late]);
});

it.each(['cornerStoreId=x', 'deliveredFrom=2026-02-31', 'paidTo=0000-01-01'])(
  'refuses ?%s',
  async (query) => {
    const store = await transactions.createCornerStore();
    const { status } = await transactions.call(store.caller, 'GET', `/v1/transaction?${query}`);
    expect(status).toBe(400);
  },
);
