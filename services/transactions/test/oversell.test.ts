import { randomUUID } from 'node:crypto';
import { inFlight, interleaved } from '@fiado/shared/testing/in-flight';
import { AN_ORDER, startHouse, type House } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

it('accepts exactly 100 of 1,000 parallel singles, batch items and links', async () => {
  const shop = await house.openShop({ store: { creditLimitCents: 1_000_000 } });
  const order = { cornerStoreId: shop.cornerStoreId, ...AN_ORDER, totalAmount: 100 };
  const single = () => house.call(shop.caller, 'POST', '/v1/transaction', { body: order });
  const link = () =>
    house.call(shop.caller, 'POST', '/v1/link/external/tienda-1', { body: { transaction: order } });
  const batch = () =>
    house.call(shop.caller, 'POST', '/v1/transaction/batch', {
      body: {
        driverId: 'd',
        transactions: Array.from({ length: 10 }, () => ({ ...order, metadata: {} })),
      },
    });

  const answers = await inFlight(
    interleaved(
      Array.from({ length: 300 }, () => single),
      Array.from({ length: 40 }, () => batch),
      Array.from({ length: 300 }, () => link),
    ),
  );

  const outcomes = answers.flatMap(({ status, body }) =>
    Array.isArray(body)
      ? body.map((item) => item.rejectionReasons?.join() ?? 'accepted')
      : [status === 201 ? 'accepted' : `${status} ${body.errorCode}`],
  );
  expect(outcomes).toHaveLength(1000);
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(100);
  expect(new Set(outcomes)).toEqual(
    new Set(['accepted', '422 CREDIT_LIMIT_EXCEEDED', 'INSUFFICIENT_CREDIT']),
  );
  expect(await house.usedCents(shop.cornerStoreId)).toBe(1_000_000);
  await house.checkLedger();
});

it('lets 100 parallel batches in opposite orders pass without a deadlock', async () => {
  const caller = (await house.openShop()).caller;
  const shops = [];
  for (let i = 0; i < 10; i += 1) {
    const customers = [{ wholesalerId: caller.id, externalId: randomUUID() }];
    shops.push(await house.openShop({ caller, store: { customers } }));
  }
  const forwards = shops.map(({ cornerStoreId }) => ({
    cornerStoreId,
    ...AN_ORDER,
    totalAmount: 100,
    metadata: {},
  }));
  const backwards = forwards.toReversed();

  const answers = await inFlight(
    Array.from(
      { length: 100 },
      (_, i) => () =>
        house.call(caller, 'POST', '/v1/transaction/batch', {
          body: { driverId: 'd', transactions: i % 2 === 0 ? forwards : backwards },
        }),
    ),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { cornerStoreId } of shops) {
    expect(await house.usedCents(cornerStoreId)).toBe(1_000_000);
  }
  await house.checkLedger();
});
