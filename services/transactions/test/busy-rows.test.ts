import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { waitingForLocks } from '@fiado/chassis/testing/behind-lock';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { orderOnHold, outcomeOf } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

const cancel = (store: CornerStore, id: string) =>
  transactions.call(store.caller, 'POST', `/v1/transaction/${id}/cancel`);

/** Runs its work while the corner store's line is locked, and answers when both are over. */
async function whileLineIsLocked<Result>(
  { cornerStoreId }: CornerStore,
  work: () => Promise<Promise<Result>[]>,
): Promise<Result[]> {
  // In an array: a database transaction would wait for the answers themselves.
  const answers = await transactions.context.db.transaction(async (tx) => {
    await tx.connection.query('SELECT FROM credit_lines WHERE corner_store_id = $1 FOR UPDATE', [
      cornerStoreId,
    ]);
    return work();
  });
  return Promise.all(answers);
}

// A statement waits two seconds for a lock, and Postgres looks for a deadlock once, a second after a
// wait began. On a busy machine the second statement may begin to wait later than that.
describe('changes of one order at the same time', () => {
  jest.retryTimes(4);

  it('a duplicate of an order that is being cancelled is refused without a deadlock', async () => {
    const store = await transactions.createCornerStore();
    const wholesalerTransactionId = randomUUID();
    const { transactionId } = await orderOnHold(transactions, store, { wholesalerTransactionId });

    const answers = await whileLineIsLocked(store, async () => {
      let isAnswered = false;
      const ordering = transactions.order(store, { wholesalerTransactionId }).finally(() => {
        isAnswered = true;
      });
      await until(
        'the order waits or is answered',
        async () => isAnswered || (await waitingForLocks(transactions)) > 0,
      );
      const before = await waitingForLocks(transactions);
      let isCancelAnswered = false;
      const cancelling = cancel(store, transactionId).finally(() => {
        isCancelAnswered = true;
      });
      await until(
        'the cancelling waits or is answered',
        async () => isCancelAnswered || (await waitingForLocks(transactions)) > before,
      );
      return [ordering, cancelling];
    });

    expect(answers.map(outcomeOf)).toEqual(['409 DUPLICATED_TRANSACTION', '200']);
    await transactions.checkLedger();
  });

  it('a request that Postgres aborts for a deadlock is repeated once', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    const other = new Client({ connectionString: transactions.ownerUrl });
    await other.connect();

    try {
      await other.query(`SET search_path = transactions; SET deadlock_timeout = '60s'; BEGIN`);
      await other.query('SELECT FROM credit_lines WHERE corner_store_id = $1 FOR UPDATE', [
        store.cornerStoreId,
      ]);
      const cancelling = cancel(store, transactionId);
      await until('the cancelling waits', async () => (await waitingForLocks(transactions)) === 1);
      await other.query('SELECT FROM transactions WHERE id = $1 FOR UPDATE', [transactionId]);
      await other.query('COMMIT');

      expect(outcomeOf(await cancelling)).toBe('200');
    } finally {
      await other.end();
    }
    await transactions.checkLedger();
  });
});

describe('a row that stays locked', () => {
  it('of a credit line answers 503, with and without an Idempotency-Key', async () => {
    const store = await transactions.createCornerStore();

    const answers = await whileLineIsLocked(store, async () => {
      const keyed = transactions.order(store, {}, { 'idempotency-key': randomUUID() });
      const unkeyed = transactions.order(store);
      await Promise.all([keyed, unkeyed]);
      return [keyed, unkeyed];
    });

    expect(answers.map(outcomeOf)).toEqual(['503 SERVICE_UNAVAILABLE', '503 SERVICE_UNAVAILABLE']);
    expect(answers[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('answers 409 while a request in another process holds the same key', async () => {
    const store = await transactions.createCornerStore();
    const headers = { 'idempotency-key': randomUUID() };
    await transactions.order(store, {}, headers);
    const [kept] = await transactions.rows<{ id: Buffer }>(
      'DELETE FROM idempotency_keys WHERE created_at = (SELECT max(created_at) FROM idempotency_keys) RETURNING id',
    );

    const answer = await transactions.context.db.transaction(async (tx) => {
      await tx.connection.query(
        `INSERT INTO idempotency_keys (id, request_hash, status, body) VALUES ($1, '', 201, '{}')`,
        [kept?.id],
      );
      return { duplicate: await transactions.order(store, {}, headers) };
    });

    expect(outcomeOf(answer.duplicate)).toBe('409 IDEMPOTENCY_CONFLICT');
    expect(answer.duplicate.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
