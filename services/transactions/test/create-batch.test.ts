import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { DateTime } from 'luxon';
import { forAllTests } from '../../../test/support/for-all-tests';
import { batchItem, sendBatch } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

const batch = (store: CornerStore, items: object[], headers = {}) =>
  sendBatch(transactions, store, items, headers);

describe('POST /transaction/batch', () => {
  it('answers each item in order; accepted ones are on hold with a word', async () => {
    const store = await transactions.createCornerStore({ store: { creditLimitCents: 150_000 } });

    const answer = await batch(store, [
      batchItem(store.cornerStoreId, { wholesalerTransactionId: 'b1', metadata: { ñ: 1 } }),
      batchItem(store.cornerStoreId, { wholesalerTransactionId: 'b2' }),
      batchItem(store.cornerStoreId, { wholesalerTransactionId: 'b1', totalAmount: 500 }),
      batchItem(randomUUID()),
      batchItem(store.cornerStoreId, { totalAmount: 50, deliveryDate: '2020-01-01' }),
      batchItem(store.cornerStoreId, { totalAmount: 100, movementDate: '2020-01-01T00:00:00Z' }),
      batchItem(store.cornerStoreId, { totalAmount: 500 }),
    ]);

    expect(answer.status).toBe(200);
    const rejected = (rejectionReasons: string[], id: string | null = null) => ({
      status: 'rejected',
      rejectionReasons,
      wholesalerTransactionId: id,
      cornerStoreId: expect.any(String),
    });
    const accepted = (totalAmount: number, totalAmountWithInterests: number) => ({
      incrementalID: expect.any(Number),
      transactionId: expect.any(String),
      totalAmount,
      totalAmountWithInterests,
      status: 'accepted',
      cornerStoreId: store.cornerStoreId,
    });
    expect(answer.body).toEqual([
      accepted(1000, 1058),
      rejected(['INSUFFICIENT_CREDIT'], 'b2'),
      rejected(['DUPLICATED_TRANSACTION'], 'b1'),
      rejected(['CORNER_STORE_NOT_FOUND']),
      rejected(['INVALID_DELIVERY_DATE', 'MINIMAL_TRANSACTION_REQUIRED']),
      rejected(['INVALID_MOVEMENT_DATE']),
      accepted(500, 529),
    ]);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(150_000);
    await transactions.checkLedger();
    const id = answer.body[0].transactionId;
    expect(await transactions.statusOf(store, id)).toBe('on-hold');
    expect((await transactions.lastSms(id)).values).toHaveProperty('word');
    const read = await transactions.call(store.caller, 'GET', '/v1/transaction/external/b1');
    expect(read.body.metadata).toEqual({ ñ: 1 });
  });

  it('takes null in every optional field of an item as absent', async () => {
    const store = await transactions.createCornerStore();
    const nulls = { wholesalerTransactionId: null, movementDate: null, deliveryDate: null };

    const answer = await batch(store, [
      batchItem(store.cornerStoreId, nulls),
      batchItem(store.cornerStoreId, nulls),
    ]);

    expect(answer.body).toMatchObject([{ status: 'accepted' }, { status: 'accepted' }]);
    const id = answer.body[0].transactionId;
    const read = await transactions.call(store.caller, 'GET', `/v1/transaction/${id}`);
    expect(read.body).toMatchObject({ wholesalerTransactionId: null, deliveryDate: null });
  });

  it('rejects only the item with an out-of-range date or a malformed id', async () => {
    const store = await transactions.createCornerStore();
    const { cornerStoreId } = store;
    transactions.accounts.up = false;

    const answer = await batch(store, [
      batchItem(cornerStoreId, { deliveryDate: '9999-12-31' }),
      batchItem(cornerStoreId, { deliveryDate: '9999-12-31T23:59:59-06:00' }),
      batchItem(cornerStoreId, { movementDate: '9999-12-31' }),
      batchItem(cornerStoreId, { movementDate: '0001-01-01' }),
      batchItem('Tienda 7'),
      batchItem(cornerStoreId),
    ]).finally(() => {
      transactions.accounts.up = true;
    });

    expect(answer.status).toBe(200);
    const rejected = (reason: string, id = cornerStoreId) =>
      expect.objectContaining({ rejectionReasons: [reason], cornerStoreId: id });
    expect(answer.body).toEqual([
      rejected('INVALID_DELIVERY_DATE'),
      rejected('INVALID_DELIVERY_DATE'),
      rejected('INVALID_MOVEMENT_DATE'),
      rejected('INVALID_MOVEMENT_DATE'),
      rejected('CORNER_STORE_NOT_FOUND', 'Tienda 7'),
      expect.objectContaining({ status: 'accepted' }),
    ]);
  });

  it('accepts a movementDate of today, and one of a clock that is five minutes fast', async () => {
    const store = await transactions.createCornerStore();
    const [{ now } = { now: new Date() }] = await transactions.rows<{ now: Date }>('SELECT now()');
    const today = DateTime.fromJSDate(now, { zone: 'America/Mexico_City' });
    const at = (change: object) =>
      batchItem(store.cornerStoreId, {
        totalAmount: 100,
        movementDate: today.plus(change).toISO(),
      });

    const answer = await batch(store, [
      batchItem(store.cornerStoreId, { movementDate: today.toISODate() }),
      at({ minutes: 4 }),
      at({ minutes: 6 }),
      at({ days: -7, minutes: 5 }),
      at({ days: -7, minutes: -5 }),
    ]);

    const rejected = { status: 'rejected', rejectionReasons: ['INVALID_MOVEMENT_DATE'] };
    const accepted = { status: 'accepted' };
    expect(answer.body).toMatchObject([accepted, accepted, rejected, accepted, rejected]);
    const id = answer.body[0].transactionId;
    const read = await transactions.call(store.caller, 'GET', `/v1/transaction/${id}`);
    expect(read.body.movementDate).toBe(today.startOf('day').toUTC().toISO());
  });

  it('calls accounts once for all the stores that it would refuse', async () => {
    const caller = (await transactions.createCornerStore()).caller;
    const stores = Array.from({ length: 20 }, () =>
      transactions.createCornerStoreInAccounts({
        caller,
        store: { customers: [{ wholesalerId: caller.id, externalId: randomUUID() }] },
      }),
    );
    const before = transactions.accounts.questions;

    const answer = await batch(
      stores[0] as CornerStore,
      stores.map(({ cornerStoreId }) => batchItem(cornerStoreId)),
    );

    expect(new Set(answer.body.map(({ status }: { status: string }) => status))).toEqual(
      new Set(['accepted']),
    );
    expect(transactions.accounts.questions - before).toBe(1);
  });

  it('calls accounts about a line that changed while the batch waited for its lock', async () => {
    const store = await transactions.createCornerStore();
    const { cornerStoreId, userId } = store;
    const raised = { cornerStoreId, userId, creditLimitCents: 500_000 };
    transactions.createCornerStoreInAccounts({ caller: store.caller, store: raised, version: 2 });

    const answer = await transactions.answeredAfter('limit_cents = 0', {
      store,
      statement: 'SELECT now(), line.corner_store_id',
      request: () => batch(store, [batchItem(cornerStoreId)]),
    });

    expect(answer.body).toMatchObject([{ status: 'accepted' }]);
  });

  it('takes effect once for an Idempotency-Key, and repeats its answer', async () => {
    const store = await transactions.createCornerStore();
    const headers = { 'idempotency-key': 'batch-1' };
    const items = [batchItem(store.cornerStoreId), batchItem(randomUUID())];

    const first = await batch(store, items, headers);
    const second = await batch(store, items, headers);

    expect(second.text).toBe(first.text);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
  });

  it('decides twenty batches with the same order id once', async () => {
    const store = await transactions.createCornerStore();
    const items = [
      batchItem(store.cornerStoreId, { wholesalerTransactionId: 'race', totalAmount: 100 }),
    ];

    const answers = await inFlight(Array.from({ length: 20 }, () => () => batch(store, items)));

    expect(answers.filter(({ body }) => body[0].status === 'accepted')).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('names the path of a problem and writes nothing', async () => {
    const store = await transactions.createCornerStore();

    const answer = await batch(store, [
      batchItem(store.cornerStoreId),
      batchItem(store.cornerStoreId, { deliveryDate: '2026-02-31' }),
    ]);

    expect([answer.status, answer.body.message]).toEqual([
      400,
      ['transactions.1.deliveryDate must be a real ISO 8601 date or timestamp'],
    ]);
    const missing = await transactions.call(store.caller, 'POST', '/v1/transaction/batch', {
      body: {},
    });
    expect(missing.status).toBe(400);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(0);
  });

  it('takes 500 orders and refuses 501', async () => {
    const store = await transactions.createCornerStore({ store: { creditLimitCents: 10_000_000 } });
    const items = Array.from({ length: 501 }, () =>
      batchItem(store.cornerStoreId, { totalAmount: 100 }),
    );

    expect((await batch(store, items)).status).toBe(400);
    expect((await batch(store, items.slice(1))).status).toBe(200);
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(5_000_000);
    await transactions.checkLedger();
  });
});
