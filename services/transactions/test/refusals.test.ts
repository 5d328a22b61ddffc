import { service } from '@fiado/chassis/testing/callers';
import { randomUUID } from 'node:crypto';
import { createLogger, type Logger } from '@fiado/chassis/logger';
import { until } from '@fiado/chassis/testing/until';
import { batchItem, sendBatch } from './support/orders';
import {
  startTransactions,
  type CornerStore,
  type TransactionsService,
} from './support/transactions';

let transactions: TransactionsService;
/** Fields of the lines that requests log. */
const logged: Record<string, unknown>[] = [];

beforeAll(async () => {
  const log = createLogger('transactions', 'silent');
  const lines = { info: (fields: Record<string, unknown>) => void logged.push(fields) };
  jest.spyOn(log, 'child').mockReturnValue(lines as unknown as ReturnType<Logger['child']>);
  transactions = await startTransactions({}, { log });
});
afterAll(() => transactions.stop());

interface StoredRefusal {
  corner_store_id: string | null;
  operation: string;
  error_code: string;
  request_id: string;
  ids: Record<string, string | number>;
}

function refusalsOf(wholesalerId: string): Promise<StoredRefusal[]> {
  return transactions.rows<StoredRefusal>(
    'SELECT * FROM refusals WHERE wholesaler_id = $1 ORDER BY refused_at, id',
    [wholesalerId],
  );
}

async function countOf(wholesalerId: string): Promise<number> {
  const [row] = await transactions.rows<{ refused: number }>(
    'SELECT refused FROM refusal_counts WHERE wholesaler_id = $1',
    [wholesalerId],
  );
  return row?.refused ?? 0;
}

async function untilCounted(wholesalerId: string, count: number): Promise<void> {
  await until(`${count} refusals are counted`, async () => (await countOf(wholesalerId)) >= count);
}

function orderFor(store: CornerStore, body: object) {
  return transactions.call(store.caller, 'POST', '/v1/transaction', { body });
}

it('a refused order is kept with its code and ids, and both stand on its log line', async () => {
  const store = await transactions.createCornerStore();
  const answer = await transactions.order(store, {
    totalAmount: 1,
    wholesalerTransactionId: 'order-9',
  });
  expect([answer.status, answer.body.errorCode]).toEqual([422, 'MINIMAL_TRANSACTION_REQUIRED']);
  const requestId = answer.headers.get('x-request-id');
  await transactions.call(store.caller, 'POST', '/v1/link/external/tienda-1', { body: {} });
  await transactions.call(store.caller, 'GET', `/v1/transaction/${randomUUID()}`);

  await untilCounted(store.caller.id, 2);
  const ids = {
    cornerStoreId: store.cornerStoreId,
    wholesalerTransactionId: 'order-9',
    askedAmount: 1,
    minimumAmount: 100,
  };
  expect(await refusalsOf(store.caller.id)).toMatchObject([
    {
      corner_store_id: store.cornerStoreId,
      operation: 'createTransaction',
      error_code: 'MINIMAL_TRANSACTION_REQUIRED',
      request_id: requestId,
      ids,
    },
    {
      corner_store_id: store.cornerStoreId,
      operation: 'createTransactionLink',
      error_code: 'BAD_REQUEST',
      ids: { externalId: 'tienda-1' },
    },
  ]);

  // Ops finds it by the wholesaler's id.
  const found = await transactions.call(service('accounts'), 'POST', '/internal/search', {
    body: { text: 'order-9' },
  });
  expect(found.body.hits).toMatchObject([
    {
      kind: 'refused-transaction',
      cornerStoreId: store.cornerStoreId,
      errorCode: 'MINIMAL_TRANSACTION_REQUIRED',
    },
  ]);

  const line = logged.find((fields) => fields['requestId'] === requestId);
  expect(line).toMatchObject({
    errorCode: 'MINIMAL_TRANSACTION_REQUIRED',
    wholesalerId: store.caller.id,
    cornerStoreId: store.cornerStoreId,
  });
  // The wholesaler's own ids may hold anything, a phone too.
  expect(JSON.stringify(logged)).not.toMatch(/order-9|tienda-1/);
});

it('a refusal about the store of another wholesaler does not reach the store', async () => {
  const victim = await transactions.createCornerStore();
  const hostile = await transactions.createCornerStore();
  const body = { cornerStoreId: victim.cornerStoreId, totalAmount: 1000, products: [] };
  const answers = [
    await orderFor(hostile, { ...body, products: [{ externalSKU: 'a', name: 'b', quantity: 1 }] }),
    await transactions.call(hostile.caller, 'POST', `/v1/transaction/${randomUUID()}/cancel`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  await untilCounted(hostile.caller.id, 2);
  const stored = await refusalsOf(hostile.caller.id);
  expect(stored.map((row) => row.corner_store_id)).toEqual([null, null]);
  expect(stored[0]?.ids).toMatchObject({ cornerStoreId: victim.cornerStoreId });
});

it('a rejected order of a batch is kept as a refused order is, once for a repeated request', async () => {
  const store = await transactions.createCornerStore();
  const items = [
    batchItem(store.cornerStoreId, { totalAmount: 1, wholesalerTransactionId: 'order-10' }),
    batchItem(store.cornerStoreId),
    batchItem('tienda'),
  ];
  const headers = { 'idempotency-key': randomUUID() };
  for (let times = 0; times < 2; times += 1) {
    const answer = await sendBatch(transactions, store, items, headers);
    expect(answer.body.map(({ status }: { status: string }) => status)).toEqual([
      'rejected',
      'accepted',
      'rejected',
    ]);
  }
  await orderFor(store, {});
  await untilCounted(store.caller.id, 3);
  expect(await countOf(store.caller.id)).toBe(3);
  const [low, unknown] = (await refusalsOf(store.caller.id)).toSorted((one, other) =>
    other.error_code.localeCompare(one.error_code),
  );
  expect(low).toMatchObject({
    corner_store_id: store.cornerStoreId,
    operation: 'createTransactions',
    error_code: 'MINIMAL_TRANSACTION_REQUIRED',
    ids: { cornerStoreId: store.cornerStoreId, wholesalerTransactionId: 'order-10' },
  });
  expect(unknown).toMatchObject({ error_code: 'CORNER_STORE_NOT_FOUND', ids: {} });
});

it('an order that does not fit the line is kept with what it asked for and what was free', async () => {
  const store = await transactions.createCornerStore();
  const { body } = await transactions.order(store, { totalAmount: 10_000.5 });
  expect(body).toEqual({
    errorCode: 'CREDIT_LIMIT_EXCEEDED',
    errorMessage: expect.any(String),
    maximumAmount: 10_000,
  });
  await untilCounted(store.caller.id, 1);
  expect((await refusalsOf(store.caller.id))[0]?.ids).toMatchObject({
    askedAmount: 10_000.5,
    availableAmount: 10_000,
  });
});

it('beyond 1,000 a day refusals are only counted, and others still get their rows', async () => {
  const flooding = await transactions.createCornerStore();
  const other = await transactions.createCornerStore();
  await transactions.order(flooding, { totalAmount: 1 });
  await untilCounted(flooding.caller.id, 1);
  await transactions.rows('UPDATE refusal_counts SET refused = 998 WHERE wholesaler_id = $1', [
    flooding.caller.id,
  ]);
  const send = async (store: CornerStore, times: number) => {
    for (let at = 0; at < times; at += 1) await transactions.order(store, { totalAmount: 1 });
  };
  await send(flooding, 5);
  await send(other, 2);
  await untilCounted(flooding.caller.id, 1003);
  await untilCounted(other.caller.id, 2);
  expect(await refusalsOf(flooding.caller.id)).toHaveLength(3);
  expect(await refusalsOf(other.caller.id)).toHaveLength(2);
  await send(flooding, 2);
  await untilCounted(flooding.caller.id, 1005);
  expect(await refusalsOf(flooding.caller.id)).toHaveLength(3);
});

it('an id that Postgres cannot store does not hold up the others', async () => {
  const store = await transactions.createCornerStore();
  const other = await transactions.createCornerStore();
  await orderFor(store, { wholesalerTransactionId: 'a\u0000b\ud800c' });
  await transactions.order(other, { totalAmount: 1 });
  await untilCounted(store.caller.id, 1);
  await untilCounted(other.caller.id, 1);
  expect((await refusalsOf(store.caller.id))[0]?.ids).toEqual({
    wholesalerTransactionId: 'ab\ufffdc',
  });
});
