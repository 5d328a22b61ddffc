import { ops } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { INVOICE } from './support/facturapi';
import { orderOnHold } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);
let store: CornerStore;
/** Orders with invoices, the oldest first: a receipt, a failed one, a failed one of an ended order, an invoice. */
let orders: string[];
beforeAll(async () => {
  store = await transactions.createCornerStore();
  orders = [];
  for (const _ of [1, 2, 3, 4]) orders.push(await invoiced(store));
  await invoiced(await transactions.createCornerStore());
  const change = (at: number, set: string) =>
    transactions.rows(`UPDATE invoices SET ${set} WHERE transaction_id = $1`, [orders[at]]);
  await change(
    0,
    `kind = 'receipt', cancellation = 'rejected', created_at = now() - interval '2 days'`,
  );
  for (const at of [1, 2]) {
    await change(at, `status = 'failed', failure_reason = 'legal_name_mismatch', issued_at = NULL`);
  }
  await transactions.call(store.caller, 'POST', `/v1/transaction/${orders[2]}/cancel`);
  await change(3, `kind = 'invoice', uuid = '6f0d1f9a-6a4e-4d39-9c8a-0d5b6a1e77c1'`);
});

/** An order with a simulated invoice. */
async function invoiced(of: CornerStore): Promise<string> {
  const { transactionId } = await orderOnHold(transactions, of);
  const path = `/v1/transaction/${transactionId}/invoice`;
  await transactions.call(of.caller, 'POST', path, { body: { invoice: INVOICE } });
  await until('it is issued', async () => {
    return (await transactions.call(of.caller, 'GET', path)).body.status === 'issued';
  });
  return transactionId;
}

const list = (query = '') =>
  transactions.call(store.caller, 'GET', `/v1/invoices?limit=50${query}`);
const listForOps = (query = '') =>
  transactions.call(ops('viewer'), 'GET', `/v1/admin/invoices?limit=50${query}`);

/** The places in `orders` of what a list has. */
async function found(answer: ReturnType<typeof list>): Promise<number[]> {
  const { invoices } = (await answer).body as { invoices: Array<{ transactionId: string }> };
  return invoices.map(({ transactionId }) => orders.indexOf(transactionId));
}

it('a wholesaler lists its own, newest first, with totals, and pages them', async () => {
  const { invoices } = (await list()).body;
  expect(await found(list())).toEqual([3, 2, 1, 0]);
  expect(invoices[0]).toEqual({
    invoiceId: expect.any(String),
    transactionId: orders[3],
    wholesalerTransactionId: null,
    kind: 'invoice',
    status: 'issued',
    cancellation: 'none',
    total: 110,
    isSimulated: true,
    uuid: '6f0d1f9a-6a4e-4d39-9c8a-0d5b6a1e77c1',
    lastError: null,
    failureReason: null,
    createdAt: expect.any(String),
    issuedAt: expect.any(String),
  });
  const page = async (query: string) =>
    (await transactions.call(store.caller, 'GET', `/v1/invoices?${query}`)).body;
  const first = await page('limit=3');
  const second = await page(`limit=3&cursor=${first.nextCursor}`);
  expect([...first.invoices, ...second.invoices]).toEqual(invoices);
  expect(second.nextCursor).toBeNull();
});

it('it filters them by kind, state and time', async () => {
  const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString();
  expect(await found(list('&kind=invoice'))).toEqual([3]);
  expect(await found(list('&status=failed'))).toEqual([2, 1]);
  expect(await found(list(`&to=${yesterday}`))).toEqual([0]);
  expect(await found(list(`&from=${yesterday}&status=issued`))).toEqual([3]);
  expect((await list('&status=cancelled')).status).toBe(400);
});

it('ops lists those of all, and of one, and the failed ones whose order stands', async () => {
  expect((await found(listForOps())).slice(0, 2)).toEqual([-1, 3]);
  expect(await found(listForOps(`&wholesalerId=${store.caller.id}`))).toEqual([3, 2, 1, 0]);
  const failed = await listForOps('&status=failed&invoiceable=true');
  expect(failed.body.invoices).toMatchObject([
    {
      transactionId: orders[1],
      wholesalerId: store.caller.id,
      wholesaler: store.caller.name,
      failureReason: 'legal_name_mismatch',
    },
  ]);
  expect(await found(listForOps('&cancellation=rejected'))).toEqual([0]);
});
