import { metricsText } from '@fiado/shared/chassis/metrics';
import { wholesaler } from '@fiado/shared/testing/callers';
import { expireTransactions } from '../src/use-cases/expire-transactions';
import { codeOf, orderOnHold, startHouse, type House } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

describe('POST /transaction/{id}/cancel', () => {
  it('frees the credit of an order that is not delivered, and voids its code', async () => {
    const shop = await house.openShop();
    const { body: order } = await house.order(shop, { wholesalerTransactionId: 'again' });
    const errorCode = await codeOf(house, order.transactionId);
    const path = `/v1/transaction/${order.transactionId}`;

    const answer = await house.call(shop.caller, 'POST', `${path}/cancel`);

    expect([answer.status, answer.body.transactionStatus]).toEqual([200, 'cancelled']);
    expect(await house.usedCents(shop.cornerStoreId)).toBe(0);
    await house.checkLedger();
    const confirm = await house.call(
      shop.caller,
      'PUT',
      `${path}/verification/${order.verificationId}`,
      { body: { errorCode } },
    );
    expect([confirm.status, confirm.body.errorCode]).toEqual([422, 'VERIFICATION_NOT_VALID']);
    const again = await house.order(shop, { wholesalerTransactionId: 'again' });
    expect(again.status).toBe(201);
    const newest = await house.call(shop.caller, 'GET', '/v1/transaction/external/again');
    expect(newest.body.transactionId).toBe(again.body.transactionId);
  });

  it('refuses a delivered order, a second cancel, and another wholesaler', async () => {
    const shop = await house.openShop();
    const delivered = await orderOnHold(house, shop);
    const path = `/v1/transaction/${delivered.transactionId}`;
    await house.call(shop.caller, 'PUT', path, {
      body: { status: 'delivery', transactionAmount: 1000 },
    });
    const cancelled = await orderOnHold(house, shop);
    const twice = `/v1/transaction/${cancelled.transactionId}/cancel`;
    await house.call(shop.caller, 'POST', twice);

    const answers = [
      await house.call(shop.caller, 'POST', `${path}/cancel`),
      await house.call(shop.caller, 'POST', twice),
      await house.call(wholesaler(), 'POST', twice),
    ];

    expect(answers.map(({ status, body }) => [status, body.errorCode])).toEqual([
      [422, 'TRANSACTION_IS_NOT_IN_HOLD'],
      [422, 'TRANSACTION_IS_NOT_IN_HOLD'],
      [404, 'TRANSACTION_NOT_FOUND'],
    ]);
    expect(await house.usedCents(shop.cornerStoreId)).toBe(100_000);
  });

  it('frees the credit once when cancel, confirmation and delivery race', async () => {
    const shop = await house.openShop();
    for (let i = 0; i < 10; i += 1) {
      const { transactionId } = await orderOnHold(house, shop);
      const path = `/v1/transaction/${transactionId}`;
      const body = { status: 'delivery', transactionAmount: 900 };
      await Promise.all([
        house.call(shop.caller, 'POST', `${path}/cancel`),
        house.call(shop.caller, 'PUT', path, { body }),
        house.call(shop.caller, 'POST', `${path}/cancel`),
      ]);
    }
    const [{ expected } = { expected: -1 }] = await house.rows<{ expected: number }>(
      `SELECT coalesce(sum(amount_cents), 0)::bigint AS expected FROM transactions
        WHERE corner_store_id = $1 AND status IN ('on-hold', 'delivery')`,
      [shop.cornerStoreId],
    );
    expect(await house.usedCents(shop.cornerStoreId)).toBe(expected);
    await house.checkLedger();
  });
});

describe('expiry', () => {
  it('expires an unconfirmed order after 24 hours and an order on hold after 30 days', async () => {
    const shop = await house.openShop();
    const { body: unconfirmed } = await house.order(shop);
    const onHold = await orderOnHold(house, shop);
    const fresh = await orderOnHold(house, shop);
    const late = async (transactionId: string, life: string) => {
      const [row] = await house.rows<{ late: boolean }>(
        `SELECT expires_at BETWEEN now() + $2::interval - interval '1 minute' AND now() + $2::interval AS late
           FROM transactions WHERE id = $1`,
        [transactionId, life],
      );
      return row?.late;
    };
    expect(await late(unconfirmed.transactionId, '24 hours')).toBe(true);
    expect(await late(onHold.transactionId, '30 days')).toBe(true);
    await house.rows('UPDATE transactions SET expires_at = now() WHERE id = ANY($1)', [
      [unconfirmed.transactionId, onHold.transactionId],
    ]);

    await expireTransactions(house.context);

    expect(await house.statusOf(shop, unconfirmed.transactionId)).toBe('expired');
    expect(await house.statusOf(shop, onHold.transactionId)).toBe('expired');
    expect(await house.statusOf(shop, fresh.transactionId)).toBe('on-hold');
    expect(await house.usedCents(shop.cornerStoreId)).toBe(100_000);
    await house.checkLedger();
  });

  it('an order that cannot expire stops no other', async () => {
    const [bad, good] = [await house.openShop(), await house.openShop()];
    const { transactionId: badId } = await orderOnHold(house, bad);
    const { transactionId: goodId } = await orderOnHold(house, good);
    await house.rows(
      `UPDATE transactions SET expires_at = now() - CASE id WHEN $1 THEN 2 ELSE 1 END * interval '1 day'
        WHERE id = ANY(ARRAY[$1, $2]::uuid[])`,
      [badId, goodId],
    );
    // It would set free more than its line has in use.
    await house.rows('UPDATE credit_lines SET used_cents = 0 WHERE corner_store_id = $1', [
      bad.cornerStoreId,
    ]);

    await expireTransactions(house.context);
    expect(await house.statusOf(good, goodId)).toBe('expired');
    expect(await house.statusOf(bad, badId)).toBe('on-hold');
    expect(await metricsText()).toMatch(
      /loop_rows_failed_total\{loop="expire transactions"\} [1-9]/,
    );
  });
});
