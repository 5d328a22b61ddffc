import { randomUUID } from 'node:crypto';
import { increasesOf, sampleIn } from '@fiado/chassis/testing/metrics';
import { forAllTests } from '../../../test/support/for-all-tests';
import { batchItem, sendBatch } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

/** Decisions so far, by source, decision and reason. */
async function decisions(source: string, decision: string, reason: string): Promise<number> {
  const { text } = await transactions.call(undefined, 'GET', '/metrics');
  const labels = `{source="${source}",decision="${decision}",reason="${reason}"}`;
  return sampleIn(text, `fiado_credit_decisions_total${labels}`);
}

it('a reason that never occurred is exported as 0', async () => {
  expect(await decisions('link', 'rejected', 'USER_IS_IN_DEFAULT')).toBe(0);
});

it('orders are counted by decision and reason; a replay and an invalid body are not', async () => {
  const store = await transactions.createCornerStore({ store: { creditLimitCents: 150_000 } });
  const once = { 'idempotency-key': randomUUID() };

  const increases = await increasesOf(
    () =>
      Promise.all([
        decisions('order', 'accepted', 'none'),
        decisions('order', 'rejected', 'CREDIT_LIMIT_EXCEEDED'),
        decisions('order', 'rejected', 'MINIMAL_TRANSACTION_REQUIRED'),
      ]),
    async () => {
      await transactions.order(store, {}, once);
      await transactions.order(store, {}, once);
      await transactions.order(store);
      await transactions.order(store, { totalAmount: 50 });
      await transactions.order(store, { totalAmount: 'much' });
    },
  );

  expect(increases).toEqual([1, 1, 1]);
});

it('each batch item counts as one decision by its first reason; links count separately', async () => {
  const store = await transactions.createCornerStore();
  const item = (fields = {}) => batchItem(store.cornerStoreId, fields);

  const increases = await increasesOf(
    () =>
      Promise.all([
        decisions('batch', 'accepted', 'none'),
        decisions('batch', 'rejected', 'INVALID_DELIVERY_DATE'),
        decisions('link', 'accepted', 'none'),
      ]),
    async () => {
      await sendBatch(transactions, store, [
        item(),
        item(),
        item({ totalAmount: 50, deliveryDate: '2020-01-01' }),
      ]);
      await transactions.call(store.caller, 'POST', '/v1/link/external/tienda-1', {
        body: { transaction: item() },
      });
    },
  );

  expect(increases).toEqual([2, 1, 1]);
});
