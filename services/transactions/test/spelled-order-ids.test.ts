import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { forAllTests } from '../../../test/support/for-all-tests';
import { batchItem, outcomeOf, sendBatch } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

const BIG = { store: { creditLimitCents: 100_000_000 } };

/** An id with a letter of two parts, and other spellings of it. */
function spelledId(): { id: string; others: string[] } {
  const id = `PED-\u00d1-${randomUUID()}`;
  return {
    id,
    others: [`${id} `, `\n${id}`, `${id}\u200b`, `\u202a${id}\u202c`, id.normalize('NFD')],
  };
}

it('an order id spelled otherwise is the same live order, one by one and in a batch', async () => {
  const store = await transactions.createCornerStore(BIG);
  const { id, others } = spelledId();
  const first = await transactions.order(store, { wholesalerTransactionId: id });
  expect(first.status).toBe(201);
  for (const wholesalerTransactionId of others) {
    const again = await transactions.order(store, { wholesalerTransactionId });
    expect(outcomeOf(again)).toBe('409 DUPLICATED_TRANSACTION');
  }
  const batch = await sendBatch(
    transactions,
    store,
    [...others, `${id}x`, ` ${id}x`].map((wholesalerTransactionId) =>
      batchItem(store.cornerStoreId, { wholesalerTransactionId }),
    ),
  );
  expect(batch.body.map(({ status }: { status: string }) => status)).toEqual([
    ...others.map(() => 'rejected'),
    'accepted',
    'rejected',
  ]);
});

it('twenty spellings of one id at the same moment are one order', async () => {
  const store = await transactions.createCornerStore(BIG);
  const id = randomUUID();
  const answers = await inFlight(
    Array.from(
      { length: 20 },
      (_, n) => () =>
        transactions.order(store, { wholesalerTransactionId: `${id}${' '.repeat(n % 7)}` }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await transactions.usedCents(store.cornerStoreId)).toBe(100_000);
});

it('an order is shown as it was sent, and found by any spelling of its id', async () => {
  const store = await transactions.createCornerStore(BIG);
  const { id, others } = spelledId();
  const sent = others[0] ?? '';
  const { body: order } = await transactions.order(store, { wholesalerTransactionId: sent });
  for (const spelled of [id, ...others]) {
    const path = `/v1/transaction/external/${encodeURIComponent(spelled)}`;
    const { status, body } = await transactions.call(store.caller, 'GET', path);
    expect([status, body.transactionId]).toEqual([200, order.transactionId]);
  }
  const { body } = await transactions.call(
    store.caller,
    'GET',
    `/v1/transaction/${order.transactionId}`,
  );
  expect(body.wholesalerTransactionId).toBe(sent);
});

it('an id of white space and invisible marks alone is refused: all of them would be one', async () => {
  const store = await transactions.createCornerStore();
  for (const wholesalerTransactionId of [' ', '\n\u3000', '\u200b', '\u202a\ufeff']) {
    const { status, body } = await transactions.order(store, { wholesalerTransactionId });
    expect([status, body.message]).toEqual([
      400,
      ['wholesalerTransactionId must have a visible character'],
    ]);
  }
});

it('capitals and zeros tell orders apart', async () => {
  const store = await transactions.createCornerStore(BIG);
  const id = `ped-${randomUUID()}`;
  for (const wholesalerTransactionId of [id, id.toUpperCase(), `0${id}`, id.replace('-', ' ')]) {
    expect((await transactions.order(store, { wholesalerTransactionId })).status).toBe(201);
  }
});
