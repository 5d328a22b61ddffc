import { forAllTests } from '../../../test/support/for-all-tests';
import { AN_ORDER } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

it('metadata keeps the numbers that were sent, from every order to every answer', async () => {
  const store = await transactions.createCornerStore();
  const metadata = '{"folio":12345678901234567890,"peso":0.12345678901234567890,"n":[10.50,1e400]}';
  const body = JSON.stringify({ cornerStoreId: store.cornerStoreId, ...AN_ORDER }).replace(
    /\}$/,
    `,"metadata":${metadata}}`,
  );
  const call = (method: string, path: string, sent?: string, headers = {}) =>
    transactions.call(store.caller, method, `/v1${path}`, { body: sent, headers });

  const { transactionId } = (await call('POST', '/transaction', body)).body;
  const item = `{"driverId":"driver-1","transactions":[${body}]}`;
  const [inBatch] = (await call('POST', '/transaction/batch', item)).body;
  const linked = (await call('POST', '/link/external/tienda-1', `{"transaction":${body}}`)).body;

  for (const id of [transactionId, inBatch.transactionId, linked.transactionId]) {
    expect((await call('GET', `/transaction/${id}`)).text).toContain(`"metadata":${metadata}`);
  }
  const page = await call('GET', '/transaction');
  expect(page.text.split(`"metadata":${metadata}`)).toHaveLength(1 + 3);
  const key = { 'idempotency-key': 'cancel-1' };
  const path = `/transaction/${transactionId}/cancel`;
  const cancelled = await call('POST', path, undefined, key);
  expect(cancelled.text).toContain(`"metadata":${metadata}`);
  expect((await call('POST', path, undefined, key)).text).toBe(cancelled.text);
});
