import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { orderOnHold } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

async function awaited(cornerStoreId: string, { caller }: CornerStore): Promise<object[]> {
  const { status, body } = await transactions.call(
    service('gateway'),
    'POST',
    '/internal/awaited-orders',
    { body: { cornerStoreId, wholesalerId: caller.id } },
  );
  expect(status).toBe(200);
  return body.orders;
}

it('an order is awaited from its confirmation through a seller to its delivery, by its store only', async () => {
  const store = await transactions.createCornerStore();
  const other = await transactions.createCornerStore();
  await transactions.order(store);
  expect(await awaited(store.cornerStoreId, store)).toEqual([]);

  const { transactionId } = await orderOnHold(transactions, store);
  expect(await awaited(store.cornerStoreId, store)).toEqual([
    {
      transactionId,
      order: expect.objectContaining({
        totalAmount: 1000,
        products: [{ name: 'Refresco 600 ml', quantity: 12 }],
      }),
    },
  ]);
  expect(await awaited(other.cornerStoreId, store)).toEqual([]);
  expect(await awaited(store.cornerStoreId, other)).toEqual([]);

  await transactions.rows(`UPDATE transactions SET status = 'delivery' WHERE id = $1`, [
    transactionId,
  ]);
  expect(await awaited(store.cornerStoreId, store)).toEqual([]);
});
