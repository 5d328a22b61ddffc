import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { AN_ORDER, orderOnHold } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

describe('GET /transaction', () => {
  it('pages through all of them, newest first, and ends with no cursor', async () => {
    const store = await transactions.createCornerStore();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.push((await transactions.order(store)).body.transactionId);

    const seen = await rowsOfAll('transactions', (cursor) =>
      transactions.call(store.caller, 'GET', `/v1/transaction?limit=2${cursor}`),
    );
    expect(seen.map(({ transactionId }) => transactionId)).toEqual(ids.toReversed());
  });

  it('filters by status and by the moment of creation', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    await transactions.order(store);
    const count = async (query: string) =>
      (await transactions.call(store.caller, 'GET', `/v1/transaction?${query}`)).body.transactions
        .length;

    const onHold = await transactions.call(store.caller, 'GET', '/v1/transaction?status=on-hold');
    expect(onHold.body.transactions.map((t: object) => t)).toEqual([
      expect.objectContaining({ transactionId, transactionStatus: 'on-hold' }),
    ]);
    expect(await count('from=2020-01-01')).toBe(2);
    expect(await count('to=2020-01-01')).toBe(0);
    expect(await count('from=2999-01-01')).toBe(0);
    expect(await count('from=0001-01-01&to=9999-12-31')).toBe(2);
  });

  it('shows nothing of another wholesaler, not even through its cursor', async () => {
    const store = await transactions.createCornerStore();
    const { body } = await transactions.order(store);
    const other = wholesaler();
    const path = `/v1/transaction?cursor=${body.transactionId}`;
    expect((await transactions.call(other, 'GET', '/v1/transaction')).body).toEqual({
      transactions: [],
      nextCursor: null,
    });
    expect((await transactions.call(other, 'GET', path)).status).toBe(400);
  });

  it.each([
    'status=lost',
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=x',
    'from=2026-02-31',
    'to=0000-01-01',
  ])('refuses ?%s', async (query) => {
    const answer = await transactions.call(wholesaler(), 'GET', `/v1/transaction?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, 'Bad Request']);
  });
});

describe('POST /transaction/check', () => {
  it('returns all reasons and the available credit, and changes nothing', async () => {
    const store = await transactions.createCornerStore({ store: { creditLimitCents: 150_000 } });
    await transactions.order(store);
    const check = (body: object) =>
      transactions.call(store.caller, 'POST', '/v1/transaction/check', {
        body: { cornerStoreId: store.cornerStoreId, ...AN_ORDER, ...body },
      });

    expect((await check({ totalAmount: 500 })).body).toEqual({
      accepted: true,
      rejectionReasons: [],
      creditLimitAvailable: 500,
      maximumAmount: 500,
      minimumAmount: 100,
    });
    expect((await check({ deliveryDate: '2020-01-01' })).body).toEqual({
      accepted: false,
      rejectionReasons: ['INVALID_DELIVERY_DATE', 'CREDIT_LIMIT_EXCEEDED'],
      creditLimitAvailable: 500,
      maximumAmount: 500,
      minimumAmount: 100,
    });
    expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
  });

  it('reports an order id that is in use, and no other', async () => {
    const store = await transactions.createCornerStore();
    const check = async (wholesalerTransactionId: string) => {
      const { body } = await transactions.call(store.caller, 'POST', '/v1/transaction/check', {
        body: { cornerStoreId: store.cornerStoreId, ...AN_ORDER, wholesalerTransactionId },
      });
      return [body.accepted, body.rejectionReasons];
    };
    const other = await transactions.createCornerStore();
    await transactions.order(other, { wholesalerTransactionId: 'PED-2' });
    await transactions.order(store, { wholesalerTransactionId: 'PED-1' });

    expect(await check('PED-1')).toEqual([false, ['DUPLICATED_TRANSACTION']]);
    expect(await check('PED-2')).toEqual([true, []]);
  });

  it('does not find a corner store with a malformed id', async () => {
    const store = await transactions.createCornerStore();
    const { status, body } = await transactions.call(
      store.caller,
      'POST',
      '/v1/transaction/check',
      {
        body: { ...AN_ORDER, cornerStoreId: 'Tienda 7' },
      },
    );
    expect([status, body.rejectionReasons]).toEqual([200, ['CORNER_STORE_NOT_FOUND']]);
  });

  it('has no available credit for a store that may not buy', async () => {
    const store = await transactions.createCornerStore({ store: { status: 'pre-approved' } });
    const { body } = await transactions.call(store.caller, 'POST', '/v1/transaction/check', {
      body: { cornerStoreId: store.cornerStoreId, ...AN_ORDER },
    });
    expect(body).toEqual({
      accepted: false,
      rejectionReasons: ['USER_NOT_VERIFIED'],
      creditLimitAvailable: 10_000,
      maximumAmount: 0,
      minimumAmount: 100,
    });
  });
});
