import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Answer } from '@fiado/shared/testing/service';
import { until } from '@fiado/shared/testing/until';
import { orderOnHold, startHouse, type House, type Shop } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

const outcomeOf = ({ status, body }: Answer): string => `${status} ${body.errorCode ?? ''}`.trim();

const cancel = (shop: Shop, id: string) =>
  house.call(shop.caller, 'POST', `/v1/transaction/${id}/cancel`);

/** How many statements of this service wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await house.rows<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock'`,
  );
  return row?.waiting ?? 0;
}

const untilWaiting = (statements: number) =>
  until(`${statements} wait for a lock`, async () => (await waiting()) === statements);

/** Runs its work while the shop's line is locked, and answers when both are over. */
async function whileLineIsLocked<Result>(
  { cornerStoreId }: Shop,
  work: () => Promise<Promise<Result>[]>,
): Promise<Result[]> {
  // In an array: a database transaction would wait for the answers themselves.
  const answers = await house.context.db.transaction(async (tx) => {
    await tx.query('SELECT FROM credit_lines WHERE corner_store_id = $1 FOR UPDATE', [
      cornerStoreId,
    ]);
    return work();
  });
  return Promise.all(answers);
}

describe('changes of one order at the same time', () => {
  it('a duplicate of an order that is being cancelled is refused without a deadlock', async () => {
    const shop = await house.openShop();
    const wholesalerTransactionId = randomUUID();
    const { transactionId } = await orderOnHold(house, shop, { wholesalerTransactionId });

    const answers = await whileLineIsLocked(shop, async () => {
      let isAnswered = false;
      const ordering = house.order(shop, { wholesalerTransactionId }).finally(() => {
        isAnswered = true;
      });
      await until(
        'the order waits or is answered',
        async () => isAnswered || (await waiting()) > 0,
      );
      const before = await waiting();
      const cancelling = cancel(shop, transactionId);
      await untilWaiting(before + 1);
      return [ordering, cancelling];
    });

    expect(answers.map(outcomeOf)).toEqual(['409 DUPLICATED_TRANSACTION', '200']);
    await house.checkLedger();
  });

  // Postgres looks for a deadlock once, a second after a wait began. On a busy machine the other lock
  // may come later than that.
  it('a request that Postgres aborts for a deadlock is repeated once', { retry: 4 }, async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);
    const other = new Client({ connectionString: house.ownerUrl });
    await other.connect();

    try {
      await other.query(`SET search_path = transactions; SET deadlock_timeout = '60s'; BEGIN`);
      await other.query('SELECT FROM credit_lines WHERE corner_store_id = $1 FOR UPDATE', [
        shop.cornerStoreId,
      ]);
      const cancelling = cancel(shop, transactionId);
      await untilWaiting(1);
      await other.query('SELECT FROM transactions WHERE id = $1 FOR UPDATE', [transactionId]);
      await other.query('COMMIT');

      expect(outcomeOf(await cancelling)).toBe('200');
    } finally {
      await other.end();
    }
    await house.checkLedger();
  });
});

describe('a row that stays locked', () => {
  it('of a credit line answers 503, with and without an Idempotency-Key', async () => {
    const shop = await house.openShop();

    const answers = await whileLineIsLocked(shop, async () => {
      const keyed = house.order(shop, {}, { 'idempotency-key': randomUUID() });
      const unkeyed = house.order(shop);
      await Promise.all([keyed, unkeyed]);
      return [keyed, unkeyed];
    });

    expect(answers.map(outcomeOf)).toEqual(['503 SERVICE_UNAVAILABLE', '503 SERVICE_UNAVAILABLE']);
    expect(answers[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('answers 409 while a request in another process holds the same key', async () => {
    const shop = await house.openShop();
    const headers = { 'idempotency-key': randomUUID() };
    await house.order(shop, {}, headers);
    const [kept] = await house.rows<{ id: Buffer }>(
      'DELETE FROM idempotency_keys WHERE created_at = (SELECT max(created_at) FROM idempotency_keys) RETURNING id',
    );

    const answer = await house.context.db.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO idempotency_keys (id, request_hash, status, body) VALUES ($1, '', 201, '{}')`,
        [kept?.id],
      );
      return { twin: await house.order(shop, {}, headers) };
    });

    expect(outcomeOf(answer.twin)).toBe('409 IDEMPOTENCY_CONFLICT');
    expect(answer.twin.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});
