import { randomUUID } from 'node:crypto';
import { paymentApplied } from '@fiado/shared/contracts/jobs/payment-applied';
import { service, wholesaler } from '@fiado/shared/testing/callers';
import { eventsOf, switchEvents, type PublishedEvent } from '@fiado/shared/testing/events';
import { until } from '@fiado/shared/testing/until';
import { transactionsService } from '../src/service';
import { expireTransactions } from '../src/use-cases/expire-transactions';
import { INVOICE } from './support/facturapi';
import { AN_ORDER, orderOnHold, startHouse, type House, type Shop } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

/** A shop of a wholesaler that wants events. */
async function openWatchedShop(settings: object = {}): Promise<Shop> {
  const shop = await house.openShop({ settings });
  await switchEvents(house, shop.caller.id);
  return shop;
}

const published = (shop: Shop): Promise<PublishedEvent[]> =>
  eventsOf(house, transactionsService.events, shop.caller.id);
const typesOf = async (shop: Shop): Promise<string[]> =>
  (await published(shop)).map(({ type }) => type);

/** A transaction as its GET shows it, without its verification, whose SMS only the notifier knows. */
async function shown(shop: Shop, transactionId: string): Promise<Record<string, unknown>> {
  const { body } = await house.call(shop.caller, 'GET', `/v1/transaction/${transactionId}`);
  const { verification: _verification, ...transaction } = body;
  return transaction;
}

const deliver = (shop: Shop, transactionId: string, transactionAmount = 1000) =>
  house.call(shop.caller, 'PUT', `/v1/transaction/${transactionId}`, {
    body: { status: 'delivery', transactionAmount },
  });

const pay = (shop: Shop, transactionId: string, messageId: string = randomUUID()) =>
  house.deliver(
    paymentApplied,
    { id: transactionId, version: 2 },
    {
      paymentId: randomUUID(),
      transactionId,
      cornerStoreId: shop.cornerStoreId,
      principalCents: 90_000,
      outstandingCents: 0,
      outstandingPrincipalCents: 0,
      appliedAt: new Date().toISOString(),
    },
    messageId,
  );

it('each step of an order is published once, as its GET shows it in that moment', async () => {
  const shop = await openWatchedShop();
  // Of more digits than a number has, with fields in an order of their own.
  const metadata = '{"zeta":12345678901234567890,"alfa":{"b":1,"a":2}}';
  const { body: created } = await house.call(shop.caller, 'POST', '/v1/transaction', {
    body: `{"cornerStoreId":"${shop.cornerStoreId}","totalAmount":1000,"metadata":${metadata},
            "products":${JSON.stringify(AN_ORDER.products)},"deliveryDate":"2027-01-05"}`,
    headers: { 'content-type': 'application/json' },
  });
  const { transactionId, verificationId } = created;
  const moments = [await shown(shop, transactionId)];
  const { values } = await house.lastSms(transactionId);
  const path = `/v1/transaction/${transactionId}/verification/${verificationId}`;
  await house.call(shop.caller, 'PUT', path, {
    body: { errorCode: 'code' in values && values.code },
  });
  moments.push(await shown(shop, transactionId));
  expect((await deliver(shop, transactionId, 900)).status).toBe(200);
  moments.push(await shown(shop, transactionId));
  const messageId = randomUUID();
  await pay(shop, transactionId, messageId);
  await pay(shop, transactionId);
  moments.push(await shown(shop, transactionId));

  const types = ['created', 'confirmed', 'delivered', 'paid'];
  expect(await published(shop)).toEqual(
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
  const [{ metadata: kept } = { metadata: '' }] = await house.rows<{ metadata: string }>(
    `SELECT data -> 'resource' ->> 'metadata' AS metadata FROM outbox
      WHERE type = 'announce-event' AND aggregate_id = $1 LIMIT 1`,
    [transactionId],
  );
  expect(kept).toBe(metadata);
});

it('a cancelled, an expired and an invoiced order are published', async () => {
  const shop = await openWatchedShop();
  const cancelled = await orderOnHold(house, shop);
  await house.call(shop.caller, 'POST', `/v1/transaction/${cancelled.transactionId}/cancel`);
  const { body: expired } = await house.order(shop);
  await house.rows('UPDATE transactions SET expires_at = now() WHERE id = $1', [
    expired.transactionId,
  ]);
  await expireTransactions(house.context);
  const invoiced = await orderOnHold(house, shop);
  const path = `/v1/transaction/${invoiced.transactionId}/invoice`;
  await house.call(shop.caller, 'POST', path, { body: { invoice: INVOICE } });
  const read = () => house.call(shop.caller, 'GET', path);
  await until('the invoice is issued', async () => (await read()).body.status === 'issued');

  const events = await published(shop);
  expect(events.map(({ type }) => type)).toEqual([
    'transaction.created',
    'transaction.confirmed',
    'transaction.cancelled',
    'transaction.created',
    'transaction.expired',
    'transaction.created',
    'transaction.confirmed',
    'invoice.issued',
  ]);
  expect(events[2]?.data).toEqual({
    ...(await shown(shop, cancelled.transactionId)),
    version: 3,
  });
  expect(events[4]?.data).toEqual({ ...(await shown(shop, expired.transactionId)), version: 2 });
  expect(events[7]?.data).toEqual({ ...(await read()).body, version: 1 });
});

it('each order of a batch is published, with its products', async () => {
  const shop = await openWatchedShop();
  const batch = await house.call(shop.caller, 'POST', '/v1/transaction/batch', {
    body: {
      driverId: 'chofer-1',
      transactions: [100, 150, 200].map((totalAmount) => ({
        ...AN_ORDER,
        totalAmount,
        cornerStoreId: shop.cornerStoreId,
        movementDate: new Date().toISOString(),
        metadata: {},
      })),
    },
  });
  expect([batch.status, batch.text]).toEqual([200, expect.any(String)]);

  const events = await published(shop);
  expect(events.map(({ type, data }) => [type, data.transactionStatus])).toEqual(
    Array.from({ length: 3 }, () => ['transaction.created', 'on-hold']),
  );
  for (const { data } of events) {
    expect(data).toEqual({ ...(await shown(shop, data.transactionId as string)), version: 1 });
  }
});

it('nothing is published of a wholesaler without events, nor after it switched them off', async () => {
  const shop = await house.openShop();
  const { transactionId } = await orderOnHold(house, shop);
  await deliver(shop, transactionId);
  expect(await published(shop)).toEqual([]);

  await switchEvents(house, shop.caller.id);
  await house.order(shop);
  expect(await typesOf(shop)).toEqual(['transaction.created']);
  await switchEvents(house, shop.caller.id, { enabled: false });
  await house.order(shop);
  expect(await typesOf(shop)).toEqual(['transaction.created']);
});

it('an order of a wholesaler without events writes nothing more than its own rows', async () => {
  const shop = await house.openShop();
  const { transactionId } = await orderOnHold(house, shop);
  const writtenRows = `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int AS rows
                         FROM pg_stat_xact_user_tables`;
  const [before, after] = await house.context.db.transaction(async (tx) => {
    // Also what this connection wrote before: its statistics are flushed only now and then.
    const [start] = (await tx.query(writtenRows)) as Array<{ rows: number }>;
    await tx.query(
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
    const [now] = (await tx.query(writtenRows)) as Array<{ rows: number }>;
    return [start?.rows ?? 0, now?.rows ?? 0] as const;
  });
  expect(after - before).toBe(2);
});

it('what is rolled back is not published', async () => {
  const shop = await openWatchedShop();
  const { transactionId } = await orderOnHold(house, shop);
  const before = await typesOf(shop);
  // More than the overage rate allows: refused after the row is locked.
  expect((await deliver(shop, transactionId, 5_000)).status).toBe(422);
  // The credit line cannot take the difference back: the status was already written.
  await house.rows(`UPDATE credit_lines SET limit_cents = used_cents WHERE corner_store_id = $1`, [
    shop.cornerStoreId,
  ]);
  house.accounts.up = false;
  expect((await deliver(shop, transactionId, 1_050)).body.errorCode).toBe('CREDIT_LIMIT_EXCEEDED');
  house.accounts.up = true;
  expect(await typesOf(shop)).toEqual(before);
});

it('a body that would be longer than 20 kB has neither metadata nor products', async () => {
  const shop = await openWatchedShop();
  const products = Array.from({ length: 150 }, (_, i) => ({
    externalSKU: `SKU-${i}`,
    name: 'Refresco '.repeat(10),
    quantity: 1,
  }));
  await house.order(shop, { products });
  const [event] = await published(shop);
  expect(event?.data).toMatchObject({ totalAmount: 1000, version: 1 });
  expect(event?.data).not.toHaveProperty('products');
});

it('only the notifier changes who wants events', async () => {
  const body = { ownerId: randomUUID(), ownerKind: 'wholesaler', enabled: true };
  for (const caller of [wholesaler(), service('payments'), undefined]) {
    const answer = await house.call(caller, 'POST', '/internal/event-settings', { body });
    expect([401, 403]).toContain(answer.status);
  }
});
