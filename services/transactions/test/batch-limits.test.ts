import { wholesaler } from '@fiado/shared/testing/callers';
import { AN_ORDER, startHouse, type House, type Shop } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

/** The outcome of each item of a batch. */
async function batch(shop: Shop, items: object[]): Promise<string[]> {
  const { status, body } = await house.call(shop.caller, 'POST', '/v1/transaction/batch', {
    body: {
      driverId: 'driver-1',
      transactions: items.map((item) => ({
        cornerStoreId: shop.cornerStoreId,
        ...AN_ORDER,
        totalAmount: 100,
        metadata: {},
        ...item,
      })),
    },
  });
  expect(status).toBe(200);
  return (body as Array<{ status: string; rejectionReasons?: string[] }>).map(
    (item) => item.rejectionReasons?.join(' ') ?? item.status,
  );
}

it('a wholesaler without batches has each item rejected, and places single orders', async () => {
  const shop = await house.openShop({ settings: { batchEnabled: false } });
  expect(await batch(shop, [{}, { totalAmount: 1 }])).toEqual([
    'BATCH_NOT_ENABLED',
    'MINIMAL_TRANSACTION_REQUIRED BATCH_NOT_ENABLED',
  ]);
  expect((await house.order(shop)).status).toBe(201);
});

it('batches that ops has just switched on pass at once', async () => {
  const shop = await house.openShop({ settings: { batchEnabled: false } });
  house.tellAccounts({ caller: shop.caller, version: 2, store: shop });
  expect(await batch(shop, [{}])).toEqual(['accepted']);
});

describe('batchItemsPerDay', () => {
  it('counts accepted items, in order, and begins again on the next day', async () => {
    const shop = await house.openShop({ settings: { batchItemsPerDay: 3 } });
    expect(await batch(shop, [{}, { totalAmount: 1 }, {}])).toEqual([
      'accepted',
      'MINIMAL_TRANSACTION_REQUIRED',
      'accepted',
    ]);
    expect(await batch(shop, [{}, {}])).toEqual(['accepted', 'BATCH_LIMIT_EXCEEDED']);

    await house.rows('UPDATE wholesalers SET batch_items_on = batch_items_on - 1');
    expect(await batch(shop, [{}])).toEqual(['accepted']);
  });

  it('holds for batches at the same time, and for that wholesaler only', async () => {
    const shop = await house.openShop({ settings: { batchItemsPerDay: 10 } });
    const neighbour = await house.openShop({ caller: wholesaler() });
    const [ofNeighbour, ...outcomes] = await Promise.all([
      batch(neighbour, [{}, {}, {}]),
      ...Array.from({ length: 8 }, () => batch(shop, [{}, {}, {}])),
    ]);
    expect(outcomes.flat().filter((outcome) => outcome === 'accepted')).toHaveLength(10);
    expect(ofNeighbour).toEqual(['accepted', 'accepted', 'accepted']);
  });
});
