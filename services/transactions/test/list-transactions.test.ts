import { wholesaler } from '@fiado/shared/testing/callers';
import { AN_ORDER, orderOnHold, startHouse, type House } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

describe('GET /transaction', () => {
  it('pages through all of them, newest first, and ends with no cursor', async () => {
    const shop = await house.openShop();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.push((await house.order(shop)).body.transactionId);

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const path: string = `/v1/transaction?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { body } = await house.call(shop.caller, 'GET', path);
      seen.push(...body.transactions.map((t: { transactionId: string }) => t.transactionId));
      cursor = body.nextCursor;
    } while (cursor !== null);

    expect(seen).toEqual(ids.toReversed());
  });

  it('filters by status and by the moment of creation', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);
    await house.order(shop);
    const count = async (query: string) =>
      (await house.call(shop.caller, 'GET', `/v1/transaction?${query}`)).body.transactions.length;

    const onHold = await house.call(shop.caller, 'GET', '/v1/transaction?status=on-hold');
    expect(onHold.body.transactions.map((t: object) => t)).toEqual([
      expect.objectContaining({ transactionId, transactionStatus: 'on-hold' }),
    ]);
    expect(await count('from=2020-01-01')).toBe(2);
    expect(await count('to=2020-01-01')).toBe(0);
    expect(await count('from=2999-01-01')).toBe(0);
    expect(await count('from=0001-01-01&to=9999-12-31')).toBe(2);
  });

  it('shows nothing of another wholesaler, not even through its cursor', async () => {
    const shop = await house.openShop();
    const { body } = await house.order(shop);
    const other = wholesaler();
    const path = `/v1/transaction?cursor=${body.transactionId}`;
    expect((await house.call(other, 'GET', '/v1/transaction')).body).toEqual({
      transactions: [],
      nextCursor: null,
    });
    expect((await house.call(other, 'GET', path)).body.transactions).toEqual([]);
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
    const answer = await house.call(wholesaler(), 'GET', `/v1/transaction?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, 'Bad Request']);
  });
});

describe('POST /transaction/check', () => {
  it('returns all reasons and the available credit, and changes nothing', async () => {
    const shop = await house.openShop({ store: { creditLimitCents: 150_000 } });
    await house.order(shop);
    const check = (body: object) =>
      house.call(shop.caller, 'POST', '/v1/transaction/check', {
        body: { cornerStoreId: shop.cornerStoreId, ...AN_ORDER, ...body },
      });

    expect((await check({ totalAmount: 500 })).body).toEqual({
      accepted: true,
      rejectionReasons: [],
      creditLimitAvailable: 500,
      maximumAmount: 500,
    });
    expect((await check({ deliveryDate: '2020-01-01' })).body).toEqual({
      accepted: false,
      rejectionReasons: ['INVALID_DELIVERY_DATE', 'CREDIT_LIMIT_EXCEEDED'],
      creditLimitAvailable: 500,
      maximumAmount: 500,
    });
    expect(await house.usedCents(shop.cornerStoreId)).toBe(100_000);
  });

  it('reports an order id that is in use, and no other', async () => {
    const shop = await house.openShop();
    const check = async (wholesalerTransactionId: string) => {
      const { body } = await house.call(shop.caller, 'POST', '/v1/transaction/check', {
        body: { cornerStoreId: shop.cornerStoreId, ...AN_ORDER, wholesalerTransactionId },
      });
      return [body.accepted, body.rejectionReasons];
    };
    const other = await house.openShop();
    await house.order(other, { wholesalerTransactionId: 'PED-2' });
    await house.order(shop, { wholesalerTransactionId: 'PED-1' });

    expect(await check('PED-1')).toEqual([false, ['DUPLICATED_TRANSACTION']]);
    expect(await check('PED-2')).toEqual([true, []]);
  });

  it('does not find a corner store with a malformed id', async () => {
    const shop = await house.openShop();
    const { status, body } = await house.call(shop.caller, 'POST', '/v1/transaction/check', {
      body: { ...AN_ORDER, cornerStoreId: 'Tienda 7' },
    });
    expect([status, body.rejectionReasons]).toEqual([200, ['CORNER_STORE_NOT_FOUND']]);
  });

  it('has no available credit for a store that may not buy', async () => {
    const shop = await house.openShop({ store: { status: 'pre-approved' } });
    const { body } = await house.call(shop.caller, 'POST', '/v1/transaction/check', {
      body: { cornerStoreId: shop.cornerStoreId, ...AN_ORDER },
    });
    expect(body).toEqual({
      accepted: false,
      rejectionReasons: ['USER_NOT_VERIFIED'],
      creditLimitAvailable: 10_000,
      maximumAmount: 0,
    });
  });
});
