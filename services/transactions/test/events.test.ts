import { randomUUID } from 'node:crypto';
import { paymentApplied } from '@fiado/contracts/jobs/debts';
import { service, wholesaler } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents, type PublishedEvent } from '@fiado/chassis/testing/events';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { transactionsService } from '../src/service';
import { expireOrders } from '../src/orders/expire-orders';
import { INVOICE } from './support/facturapi';
import { AN_ORDER, orderOnHold } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

/** A corner store of a wholesaler that wants events. */
async function createWatchedStore(settings: object = {}): Promise<CornerStore> {
  const store = await transactions.createCornerStore({ settings });
  await switchEvents(transactions, store.caller.id);
  return store;
}

const published = (store: CornerStore): Promise<PublishedEvent[]> =>
  eventsOf(
    transactions,
    transactionsService.events?.(transactions.context.config),
    store.caller.id,
  );
const typesOf = async (store: CornerStore): Promise<string[]> =>
  (await published(store)).map(({ type }) => type);

/** A transaction as its GET shows it, without its verification, whose SMS only the notifier knows, and its dispute. */
async function shown(store: CornerStore, transactionId: string): Promise<Record<string, unknown>> {
  const { body } = await transactions.call(store.caller, 'GET', `/v1/transaction/${transactionId}`);
  const { verification: _verification, dispute: _dispute, ...transaction } = body;
  return transaction;
}

const deliver = (store: CornerStore, transactionId: string, transactionAmount = 1000) =>
  transactions.call(store.caller, 'PUT', `/v1/transaction/${transactionId}`, {
    body: { status: 'delivery', transactionAmount },
  });

const pay = (store: CornerStore, transactionId: string, messageId: string = randomUUID()) =>
  transactions.handle(
    paymentApplied,
    { id: transactionId, version: 2 },
    {
      paymentId: randomUUID(),
      transactionId,
      cornerStoreId: store.cornerStoreId,
      principalCents: 90_000,
      outstandingCents: 0,
      outstandingPrincipalCents: 0,
      appliedAt: new Date().toISOString(),
    },
    messageId,
  );

it('each step of an order is published once, as its GET shows it in that moment', async () => {
  const store = await createWatchedStore();
  // Of more digits than a number has, with fields in an order of their own.
  const metadata = '{"zeta":12345678901234567890,"alfa":{"b":1,"a":2}}';
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const { body: created } = await transactions.call(store.caller, 'POST', '/v1/transaction', {
    body: `{"cornerStoreId":"${store.cornerStoreId}","totalAmount":1000,"metadata":${metadata},
            "products":${JSON.stringify(AN_ORDER.products)},"deliveryDate":"${inAMonth}"}`,
    headers: { 'content-type': 'application/json' },
  });
  const { transactionId, verificationId } = created;
  const moments = [await shown(store, transactionId)];
  const { values } = await transactions.lastSms(transactionId);
  const path = `/v1/transaction/${transactionId}/verification/${verificationId}`;
  await transactions.call(store.caller, 'PUT', path, {
    body: { errorCode: 'code' in values && values.code },
  });
  moments.push(await shown(store, transactionId));
  expect((await deliver(store, transactionId, 900)).status).toBe(200);
  moments.push(await shown(store, transactionId));
  const messageId = randomUUID();
  await pay(store, transactionId, messageId);
  await pay(store, transactionId);
  moments.push(await shown(store, transactionId));

  const types = ['created', 'confirmed', 'delivered', 'paid'];
  expect(await published(store)).toEqual(
    moments.map((moment, i) => ({
      type: `transaction.${types[i]}`,
      data: { ...moment, version: i + 1 },
    })),
  );
  expect(moments.map(({ transactionStatus }) => transactionStatus)).toEqual([
    'pending-verification',
    'on-hold',
    'delivery',
    'paid',
  ]);
  const [{ metadata: kept } = { metadata: '' }] = await transactions.rows<{ metadata: string }>(
    `SELECT data -> 'resource' ->> 'metadata' AS metadata FROM outbox
      WHERE type = 'announce-event' AND aggregate_id = $1 LIMIT 1`,
    [transactionId],
  );
  expect(kept).toBe(metadata);
});

it('a cancelled, an expired and an invoiced order are published', async () => {
  const store = await createWatchedStore();
  const cancelled = await orderOnHold(transactions, store);
  await transactions.call(
    store.caller,
    'POST',
    `/v1/transaction/${cancelled.transactionId}/cancel`,
  );
  const { body: expired } = await transactions.order(store);
  await transactions.rows('UPDATE transactions SET expires_at = now() WHERE id = $1', [
    expired.transactionId,
  ]);
  await expireOrders(transactions.context);
  const invoiced = await orderOnHold(transactions, store);
  const path = `/v1/transaction/${invoiced.transactionId}/invoice`;
  await transactions.call(store.caller, 'POST', path, { body: { invoice: INVOICE } });
  const read = () => transactions.call(store.caller, 'GET', path);
  await until('the invoice is issued', async () => (await read()).body.status === 'issued');
  const issued = (await read()).body;
  await transactions.call(store.caller, 'POST', `${path}/cancel`, { body: { motive: '02' } });
  const isCancelled = async () => (await read()).body.cancellation === 'accepted';
  await until('the invoice is cancelled', isCancelled);

  const events = await published(store);
  expect(events.map(({ type }) => type)).toEqual([
    'transaction.created',
    'transaction.confirmed',
    'transaction.cancelled',
    'transaction.created',
    'transaction.expired',
    'transaction.created',
    'transaction.confirmed',
    'invoice.issued',
    'invoice.cancelled',
  ]);
  expect(events[2]?.data).toEqual({
    ...(await shown(store, cancelled.transactionId)),
    version: 3,
  });
  expect(events[4]?.data).toEqual({ ...(await shown(store, expired.transactionId)), version: 2 });
  expect(events[7]?.data).toEqual({ ...issued, version: 1 });
  expect(events[8]?.data).toEqual({ ...(await read()).body, version: 2 });
});

it('each order of a batch is published, with its products', async () => {
  const store = await createWatchedStore();
  const batch = await transactions.call(store.caller, 'POST', '/v1/transaction/batch', {
    body: {
      driverId: 'chofer-1',
      transactions: [100, 150, 200].map((totalAmount) => ({
        ...AN_ORDER,
        totalAmount,
        cornerStoreId: store.cornerStoreId,
        movementDate: new Date().toISOString(),
        metadata: {},
      })),
    },
  });
  expect([batch.status, batch.text]).toEqual([200, expect.any(String)]);

  const events = await published(store);
  expect(events.map(({ type, data }) => [type, data.transactionStatus])).toEqual(
    Array.from({ length: 3 }, () => ['transaction.created', 'on-hold']),
  );
  for (const { data } of events) {
    expect(data).toEqual({ ...(await shown(store, data.transactionId as string)), version: 1 });
  }
});

it('nothing is published for a wholesaler that has not switched events on, or has switched them off', async () => {
  const store = await transactions.createCornerStore();
  const { transactionId } = await orderOnHold(transactions, store);
  await deliver(store, transactionId);
  expect(await published(store)).toEqual([]);

  await switchEvents(transactions, store.caller.id);
  await transactions.order(store);
  expect(await typesOf(store)).toEqual(['transaction.created']);
  await switchEvents(transactions, store.caller.id, { enabled: false });
  await transactions.order(store);
  expect(await typesOf(store)).toEqual(['transaction.created']);
});

it('an order of a wholesaler without events writes nothing more than its own rows', async () => {
  const store = await transactions.createCornerStore();
  const { transactionId } = await orderOnHold(transactions, store);
  const writtenRows = `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int AS rows
                         FROM pg_stat_xact_user_tables`;
  const [before, after] = await transactions.context.db.transaction(async (tx) => {
    // Also what this connection wrote before: its statistics are flushed only now and then.
    const start = await tx.connection.query<{ rows: number }>(writtenRows);
    await tx.connection.query(
      `WITH cancelled AS (UPDATE transactions SET status = 'cancelled' WHERE id = $1 RETURNING *)
       INSERT INTO transactions
         (id, incremental_id, wholesaler_id, corner_store_id, user_id, status, amount_cents,
          interest_cents, iva_cents, interest_rate, iva_rate, commission_rate, movement_date,
          payment_due_at, expires_at)
       SELECT gen_random_uuid(), nextval('incremental_ids'), wholesaler_id, corner_store_id,
              user_id, 'on-hold', amount_cents, interest_cents, iva_cents, interest_rate, iva_rate,
              commission_rate, movement_date, payment_due_at, expires_at FROM cancelled`,
      [transactionId],
    );
    const now = await tx.connection.query<{ rows: number }>(writtenRows);
    return [start.rows[0]?.rows ?? 0, now.rows[0]?.rows ?? 0] as const;
  });
  expect(after - before).toBe(2);
});

it('a rolled back change is not published', async () => {
  const store = await createWatchedStore();
  const { transactionId } = await orderOnHold(transactions, store);
  const before = await typesOf(store);
  // More than the overage rate allows: refused after the row is locked.
  expect((await deliver(store, transactionId, 5_000)).status).toBe(422);
  // The credit line cannot take the difference back: the status was already written.
  await transactions.rows(
    `UPDATE credit_lines SET limit_cents = used_cents WHERE corner_store_id = $1`,
    [store.cornerStoreId],
  );
  transactions.accounts.up = false;
  expect((await deliver(store, transactionId, 1_050)).body.errorCode).toBe('CREDIT_LIMIT_EXCEEDED');
  transactions.accounts.up = true;
  expect(await typesOf(store)).toEqual(before);
});

it('a body that would be longer than 20 kB has neither metadata nor products', async () => {
  const store = await createWatchedStore();
  const products = Array.from({ length: 150 }, (_, i) => ({
    externalSKU: `SKU-${i}`,
    name: 'Refresco '.repeat(10),
    quantity: 1,
  }));
  await transactions.order(store, { products });
  const [event] = await published(store);
  expect(event?.data).toMatchObject({ totalAmount: 1000, version: 1 });
  expect(event?.data).not.toHaveProperty('products');
});

it('only the notifier changes who wants events', async () => {
  const body = { ownerId: randomUUID(), ownerKind: 'wholesaler', enabled: true };
  for (const caller of [wholesaler(), service('payments'), undefined]) {
    const answer = await transactions.call(caller, 'POST', '/internal/event-settings', { body });
    expect([401, 403]).toContain(answer.status);
  }
});
