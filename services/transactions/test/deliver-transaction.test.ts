import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/shared/testing/in-flight';
import { orderOnHold, startHouse, type House, type Shop } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

describe('PUT /transaction/{id}', () => {
  const deliver = (shop: Shop, id: string, body: object, headers = {}) =>
    house.call(shop.caller, 'PUT', `/v1/transaction/${id}`, { body, headers });

  it('takes the lower amount, frees the rest and books the debt', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);

    const answer = await deliver(shop, transactionId, {
      status: 'delivery',
      transactionAmount: 800.5,
      latitude: 19.4,
      longitude: -99.1,
    });

    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(await house.usedCents(shop.cornerStoreId)).toBe(80_050);
    await house.checkLedger();
    const [debt] = await house.rows<{ data: object }>(
      `SELECT data FROM outbox WHERE type = 'transaction.delivered' AND aggregate_id = $1`,
      [transactionId],
    );
    expect(debt?.data).toMatchObject({
      principalCents: 80_050,
      interestCents: 4003,
      ivaCents: 640,
      externalId: 'tienda-1',
    });
    expect((await house.lastSms(transactionId)).values).toEqual({
      amountCents: 80_050,
      wholesaler: shop.caller.name,
    });
    const commissions = await house.rows<{ amount_cents: number; live: boolean }>(
      `SELECT amount_cents, voided_at IS NULL AS live FROM commissions
        WHERE transaction_id = $1 ORDER BY created_at`,
      [transactionId],
    );
    expect(commissions).toEqual([
      { amount_cents: 2000, live: false },
      { amount_cents: 1601, live: true },
    ]);
  });

  it('takes null in every optional field as absent', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);

    const answer = await deliver(shop, transactionId, {
      status: 'delivery',
      transactionAmount: 1000,
      deliveryWord: null,
      latitude: null,
      longitude: null,
      description: null,
    });

    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    const [{ located } = {}] = await house.rows<{ located: boolean }>(
      'SELECT location_sealed IS NOT NULL AS located FROM transactions WHERE id = $1',
      [transactionId],
    );
    expect(located).toBe(false);
  });

  it('takes a higher amount up to the overage and refuses more', async () => {
    const shop = await house.openShop();
    const one = await orderOnHold(house, shop);
    const two = await orderOnHold(house, shop);

    const within = await deliver(shop, one.transactionId, {
      status: 'delivery',
      transactionAmount: 1100,
    });
    const beyond = await deliver(shop, two.transactionId, {
      status: 'delivery',
      transactionAmount: 1100.01,
    });

    expect(within.status).toBe(200);
    expect([beyond.status, beyond.body.errorCode]).toEqual([422, 'TRANSACTION_AMOUNT_NOT_ALLOWED']);
    expect(await house.statusOf(shop, two.transactionId)).toBe('on-hold');
    expect(await house.usedCents(shop.cornerStoreId)).toBe(210_000);
    await house.checkLedger();
  });

  it.each([
    ['in default', `overdue = true`],
    ['rejected', `status = 'pre-approved', limit_cents = 0`],
  ])('books what a store that is %s was handed', async (_, change) => {
    const shop = await house.openShop();
    const { cornerStoreId } = shop;
    const ids = [await orderOnHold(house, shop), await orderOnHold(house, shop)];
    await house.rows(`UPDATE credit_lines SET ${change} WHERE corner_store_id = $1`, [
      cornerStoreId,
    ]);
    const [same, less] = await Promise.all(
      ids.map(({ transactionId }, index) =>
        deliver(shop, transactionId, { status: 'delivery', transactionAmount: 1000 - index * 200 }),
      ),
    );

    expect([same?.status, less?.status]).toEqual([200, 200]);
    expect(await house.usedCents(cornerStoreId)).toBe(180_000);
    await house.checkLedger();
  });

  it('refuses a higher amount that the line does not carry', async () => {
    const shop = await house.openShop({ store: { creditLimitCents: 100_000 } });
    const { transactionId } = await orderOnHold(house, shop);

    const answer = await deliver(shop, transactionId, {
      status: 'delivery',
      transactionAmount: 1001,
    });

    expect([answer.status, answer.body.errorCode]).toEqual([422, 'CREDIT_LIMIT_EXCEEDED']);
    expect(await house.usedCents(shop.cornerStoreId)).toBe(100_000);
  });

  it('checks in the order 404, not on hold, amount missing, body', async () => {
    const shop = await house.openShop();
    const { body: pending } = await house.order(shop);
    const { transactionId } = await orderOnHold(house, shop);

    const answers = [
      await deliver(shop, randomUUID(), {}),
      await deliver(shop, pending.transactionId, {}),
      await deliver(shop, transactionId, {}),
      await deliver(shop, transactionId, { transactionAmount: 0, status: 'paid' }),
    ];

    expect(answers.map(({ status, body }) => [status, body.errorCode ?? body.message])).toEqual([
      [404, 'TRANSACTION_NOT_FOUND'],
      [422, 'TRANSACTION_IS_NOT_IN_HOLD'],
      [400, 'TRANSACTION_AMOUNT_NOT_FOUND'],
      [
        400,
        [
          'status must be delivery',
          'transactionAmount must be an amount above 0 and at most 100000000 with at most two decimals',
        ],
      ],
    ]);
  });

  it('delivers once of twenty at once', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);

    const answers = await inFlight(
      Array.from(
        { length: 20 },
        () => () => deliver(shop, transactionId, { status: 'delivery', transactionAmount: 900 }),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await house.usedCents(shop.cornerStoreId)).toBe(90_000);
    await house.checkLedger();
  });
});
