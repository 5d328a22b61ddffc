import { wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { batchItem, sendBatch } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

/** The outcome of each item of a batch. */
async function batch(store: CornerStore, items: object[]): Promise<string[]> {
  const { status, body } = await sendBatch(
    transactions,
    store,
    items.map((item) => batchItem(store.cornerStoreId, { totalAmount: 100, ...item })),
  );
  expect(status).toBe(200);
  return (body as Array<{ status: string; rejectionReasons?: string[] }>).map(
    (item) => item.rejectionReasons?.join(' ') ?? item.status,
  );
}

it('a wholesaler without batches has each item rejected, and places single orders', async () => {
  const store = await transactions.createCornerStore({ settings: { batchEnabled: false } });
  expect(await batch(store, [{}, { totalAmount: 1 }])).toEqual([
    'BATCH_NOT_ENABLED',
    'MINIMAL_TRANSACTION_REQUIRED BATCH_NOT_ENABLED',
  ]);
  expect((await transactions.order(store)).status).toBe(201);
});

it('batches that ops has just switched on pass at once', async () => {
  const store = await transactions.createCornerStore({ settings: { batchEnabled: false } });
  transactions.createCornerStoreInAccounts({ caller: store.caller, version: 2, store: store });
  expect(await batch(store, [{}])).toEqual(['accepted']);
});

describe('batchItemsPerDay', () => {
  it('counts accepted items, in order, and begins again on the next day', async () => {
    const store = await transactions.createCornerStore({ settings: { batchItemsPerDay: 3 } });
    expect(await batch(store, [{}, { totalAmount: 1 }, {}])).toEqual([
      'accepted',
      'MINIMAL_TRANSACTION_REQUIRED',
      'accepted',
    ]);
    expect(await batch(store, [{}, {}])).toEqual(['accepted', 'BATCH_LIMIT_EXCEEDED']);

    await transactions.rows('UPDATE wholesalers SET batch_items_on = batch_items_on - 1');
    expect(await batch(store, [{}])).toEqual(['accepted']);
  });

  it('holds for batches at the same time, and for that wholesaler only', async () => {
    const store = await transactions.createCornerStore({ settings: { batchItemsPerDay: 10 } });
    const neighbour = await transactions.createCornerStore({ caller: wholesaler() });
    const [ofNeighbour, ...outcomes] = await Promise.all([
      batch(neighbour, [{}, {}, {}]),
      ...Array.from({ length: 8 }, () => batch(store, [{}, {}, {}])),
    ]);
    expect(outcomes.flat().filter((outcome) => outcome === 'accepted')).toHaveLength(10);
    expect(ofNeighbour).toEqual(['accepted', 'accepted', 'accepted']);
  });
});

describe('batchAmountPerDay', () => {
  it('rejects each item that exceeds what is left of the day, and begins again on the next', async () => {
    const store = await transactions.createCornerStore({
      settings: { batchCentsPerDay: 100_000, batchItemsPerDay: 4 },
    });
    expect(
      await batch(store, [{ totalAmount: 600 }, { totalAmount: 500 }, { totalAmount: 300 }]),
    ).toEqual(['accepted', 'BATCH_LIMIT_EXCEEDED', 'accepted']);
    expect(await batch(store, [{ totalAmount: 101 }, {}, {}])).toEqual([
      'BATCH_LIMIT_EXCEEDED',
      'accepted',
      'BATCH_LIMIT_EXCEEDED',
    ]);

    await transactions.rows('UPDATE wholesalers SET batch_items_on = batch_items_on - 1');
    expect(await batch(store, [{ totalAmount: 1000 }])).toEqual(['accepted']);
  });

  it('holds for batches at the same time', async () => {
    const store = await transactions.createCornerStore({ settings: { batchCentsPerDay: 100_000 } });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => batch(store, [{ totalAmount: 200 }, { totalAmount: 200 }])),
    );
    expect(outcomes.flat().filter((outcome) => outcome === 'accepted')).toHaveLength(5);
  });
});
