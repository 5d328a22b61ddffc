import { randomUUID } from 'node:crypto';
import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { ops, service, wholesaler } from '@fiado/chassis/testing/callers';
import type { Answer } from '@fiado/chassis/testing/call';
import { forAllTests } from '../../../test/support/for-all-tests';
import { INVOICE } from './support/facturapi';
import { codeOf, orderOnHold, wordOf } from './support/orders';
import { PHONE, startTransactions, type CornerStore } from './support/transactions';

const LIST = '/v1/admin/transactions';

const transactions = forAllTests(startTransactions);

const list = (query = ''): Promise<Answer> =>
  transactions.call(ops('viewer'), 'GET', `${LIST}${query}`);
const show = (id: string): Promise<Answer> =>
  transactions.call(ops('viewer'), 'GET', `${LIST}/${id}`);
const entries = (cornerStoreId: string, query = ''): Promise<Answer> =>
  transactions.call(
    ops('viewer'),
    'GET',
    `/v1/admin/corner-stores/${cornerStoreId}/credit-entries${query}`,
  );

async function idsOf(query: string): Promise<string[]> {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  return body.transactions.map((one: { transactionId: string }) => one.transactionId);
}

/** All orders of a list, two at a time. */
async function allOf(query = ''): Promise<string[]> {
  const orders = await rowsOfAll('transactions', (cursor) => list(`?limit=2${query}${cursor}`));
  return orders.map(({ transactionId }) => transactionId);
}

async function placed(store: CornerStore, body: object = {}): Promise<string> {
  return (await transactions.order(store, body)).body.transactionId;
}

describe('GET /admin/transactions', () => {
  it('lists the orders of all wholesalers, newest or oldest first, and pages through them once', async () => {
    const stores = [await transactions.createCornerStore(), await transactions.createCornerStore()];
    const ids: string[] = [];
    for (const store of [...stores, ...stores, ...stores]) ids.push(await placed(store));
    // A batch has one time, so that the id decides.
    await transactions.rows('UPDATE transactions SET created_at = now() WHERE id = ANY($1)', [
      ids.slice(1, 4),
    ]);

    const seen = await allOf();
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(seen).toHaveLength(ids.length);
    expect(seen.slice(3)).toEqual([ids[5], ids[4], ids[0]]);

    const other = await transactions.createCornerStore();
    for (let count = 0; count < 3; count += 1) await placed(other);
    const store = `&cornerStoreId=${other.cornerStoreId}`;
    const status = '&status=pending-verification';
    for (const filter of ['', store, status, `${store}${status}`]) {
      for (const period of ['', '&from=2020-01-01&to=2999-01-01']) {
        const newest = await allOf(`${filter}${period}`);
        expect(newest.length).toBeGreaterThanOrEqual(3);
        const oldest = await allOf(`${filter}${period}&sort=createdAt`);
        expect(oldest).toEqual(newest.toReversed());
      }
    }
  });

  it('finds orders by each filter and by several', async () => {
    const one = await transactions.createCornerStore();
    const other = await transactions.createCornerStore();
    const number = `PED-${randomUUID()}`;
    const [first, second] = [
      await placed(one, { wholesalerTransactionId: number }),
      await placed(one),
    ];
    const foreign = await placed(other, { wholesalerTransactionId: number });
    const { transactionId: held } = await orderOnHold(transactions, other);
    const { body } = await show(second);

    expect(await idsOf(`?cornerStoreId=${one.cornerStoreId}`)).toEqual([second, first]);
    expect(await idsOf(`?wholesalerId=${other.caller.id}`)).toEqual([held, foreign]);
    expect(await idsOf(`?wholesalerTransactionId=${number}`)).toEqual([foreign, first]);
    expect(await idsOf(`?wholesalerTransactionId=${number}&wholesalerId=${one.caller.id}`)).toEqual(
      [first],
    );
    expect(await idsOf(`?incrementalID=${body.incrementalID}`)).toEqual([second]);
    const totals = async (query: string) =>
      (await list(`?limit=1&totals=true&${query}`)).body.totals;
    const { totalAmountWithInterests: amount } = body;
    const both = { count: 2, amount: 2 * amount, hasMore: false };
    expect(await totals(`cornerStoreId=${one.cornerStoreId}`)).toEqual(both);
    expect(await totals(`wholesalerId=${other.caller.id}&from=2020-01-01`)).toEqual(both);
    expect(await totals(`wholesalerId=${other.caller.id}&status=on-hold`)).toMatchObject({
      count: 1,
    });
    expect((await totals('')).count).toBeGreaterThan(3);
    expect(await idsOf('?status=on-hold')).toContain(held);
    expect(await idsOf(`?status=on-hold&wholesalerId=${other.caller.id}`)).toEqual([held]);
    expect(await idsOf(`?cornerStoreId=${one.cornerStoreId}&from=2999-01-01`)).toEqual([]);
    expect(
      await idsOf(`?cornerStoreId=${one.cornerStoreId}&from=2020-01-01&to=${body.createdAt}`),
    ).toEqual([first]);
    expect(
      await idsOf(`?cornerStoreId=${one.cornerStoreId}&wholesalerId=${other.caller.id}`),
    ).toEqual([]);
  });

  it('the search finds one that is not delivered by its amount, with interest or without', async () => {
    const store = await transactions.createCornerStore();
    const id = await placed(store, { totalAmount: 321.09 });
    const { totalAmountWithInterests: total } = (await show(id)).body;
    for (const text of ['$321.09', String(total)]) {
      const { body } = await transactions.call(service('accounts'), 'POST', '/internal/search', {
        body: { text },
      });
      expect(body.hits).toMatchObject([{ kind: 'transaction', matchedBy: 'amount', id }]);
    }
  });

  it.each([
    'status=lost',
    'cornerStoreId=Tienda',
    'wholesalerId=x',
    'wholesalerTransactionId=',
    'incrementalID=0',
    'incrementalID=1.5',
    'incrementalID=99999999999999999999',
    'from=2026-02-31',
    'limit=101',
    'cursor=x',
    `cursor=${randomUUID()}`,
    'phone=5512345678',
  ])('refuses ?%s', async (query) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { error: 'Bad Request' } });
  });
});

describe('GET /admin/transactions/{transactionId}', () => {
  it('shows the whole order, without code, word, phone, metadata or place', async () => {
    const store = await transactions.createCornerStore();
    const { body: created } = await transactions.order(store, {
      wholesalerTransactionId: 'PED-7',
      metadata: { secret: 'of the wholesaler' },
    });
    const { transactionId } = created;
    const code = await codeOf(transactions, transactionId);
    const waiting = await show(transactionId);

    expect(waiting.status).toBe(200);
    expect(waiting.body).toMatchObject({
      transactionId,
      incrementalID: created.incrementalID,
      transactionStatus: 'pending-verification',
      wholesalerId: store.caller.id,
      wholesaler: store.caller.name,
      wholesalerTransactionId: 'PED-7',
      cornerStoreId: store.cornerStoreId,
      totalAmount: 1000,
      interests: 50,
      IVAAmount: 8,
      totalAmountWithInterests: 1058,
      interestRate: 0.05,
      deliveredAt: null,
      deliveryProof: null,
      products: [{ externalSKU: 'SKU-1', name: 'Refresco 600 ml', quantity: 12 }],
      verification: { status: 'pending', sends: 1, checksLeft: 5 },
      deliveryWord: null,
      creditEntries: [{ kind: 'hold', amount: 1000, causeId: null }],
      invoice: null,
    });
    for (const hidden of [code, PHONE, 'secret']) expect(waiting.text).not.toContain(hidden);
  });

  it('shows its delivery word, delivery, ledger and invoice', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    const word = await wordOf(transactions, transactionId);
    const deliver = (deliveryWord: string) =>
      transactions.call(store.caller, 'PUT', `/v1/transaction/${transactionId}`, {
        body: { status: 'delivery', transactionAmount: 900, deliveryWord },
      });
    await deliver('equivocada');
    const held = await show(transactionId);
    expect(held.body).toMatchObject({
      transactionStatus: 'on-hold',
      verification: { status: 'approved', checksLeft: 0 },
      deliveryWord: { sends: 1, wrongWords: 1, wrongWordsInAll: 1, isLocked: false, isVoid: false },
    });
    expect(held.text).not.toContain(word);

    await deliver(word);
    await transactions.call(store.caller, 'POST', `/v1/transaction/${transactionId}/invoice`, {
      body: { invoice: INVOICE },
    });
    const delivered = await show(transactionId);
    expect(delivered.body).toMatchObject({
      transactionStatus: 'delivery',
      orderedAmount: 1000,
      totalAmount: 900,
      deliveredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      deliveryProof: 'word',
      creditEntries: [
        { kind: 'hold', amount: 1000 },
        { kind: 'adjustment', amount: -100 },
      ],
      invoice: { transactionId, discount: INVOICE.discount },
    });
  });

  it('does not find what does not exist', async () => {
    for (const id of [randomUUID(), 'PED-7']) {
      expect(await show(id)).toMatchObject({
        status: 404,
        body: { errorCode: 'TRANSACTION_NOT_FOUND' },
      });
    }
  });
});

describe('GET /admin/corner-stores/{cornerStoreId}/credit-entries', () => {
  it('pages through the ledger of the line, which adds up to the used credit', async () => {
    const store = await transactions.createCornerStore();
    const ids = [await placed(store), await placed(store), await placed(store)];
    await transactions.call(store.caller, 'POST', `/v1/transaction/${ids[0]}/cancel`);

    const first = await entries(store.cornerStoreId, '?limit=3');
    const second = await entries(store.cornerStoreId, `?limit=3&cursor=${first.body.nextCursor}`);
    const all = [...first.body.creditEntries, ...second.body.creditEntries];

    expect(first.body).toMatchObject({ creditLimit: 10_000, creditUsed: 2_000 });
    expect(all.map(({ kind }: { kind: string }) => kind)).toEqual([
      'release',
      'hold',
      'hold',
      'hold',
    ]);
    expect(all[0]).toMatchObject({ transactionId: ids[0], amount: -1000 });
    expect(second.body.nextCursor).toBeNull();
  });

  it('does not find a store without a line, and refuses another store’s cursor', async () => {
    const store = await transactions.createCornerStore();
    const other = await transactions.createCornerStore();
    await placed(other);
    const [entry] = (await entries(other.cornerStoreId)).body.creditEntries;

    expect((await entries(randomUUID())).body.errorCode).toBe('CORNER_STORE_NOT_FOUND');
    expect((await entries(store.cornerStoreId, `?cursor=${entry.creditEntryId}`)).status).toBe(400);
    expect((await entries(store.cornerStoreId, '?page=2')).status).toBe(400);
  });
});

it('only ops reads orders of all wholesalers', async () => {
  for (const path of [LIST, `${LIST}/${randomUUID()}`]) {
    expect((await transactions.call(wholesaler(), 'GET', path)).status).toBe(403);
  }
});
