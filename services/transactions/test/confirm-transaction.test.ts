import { inFlight } from '@fiado/shared/testing/in-flight';
import { wholesaler } from '@fiado/shared/testing/callers';
import { codeOf, orderOnHold, startHouse, type House } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

function wrong(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

describe('PUT /transaction/{id}/verification/{id}', () => {
  it('puts the order on hold and sends the delivery word', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);

    expect(await house.statusOf(shop, transactionId)).toBe('on-hold');
    expect((await house.lastSms(transactionId)).values).toHaveProperty('word');
  });

  it('accepts the code once of twenty parallel requests', async () => {
    const shop = await house.openShop();
    const { body: order } = await house.order(shop);
    const path = `/v1/transaction/${order.transactionId}/verification/${order.verificationId}`;
    const errorCode = await codeOf(house, order.transactionId);

    const answers = await inFlight(
      Array.from(
        { length: 20 },
        () => () => house.call(shop.caller, 'PUT', path, { body: { errorCode } }),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const words = await house.rows(
      `SELECT 1 FROM outbox WHERE aggregate_id = $1 AND data->>'template' = 'delivery-word'`,
      [order.transactionId],
    );
    expect(words).toHaveLength(1);
    const again = await house.call(shop.caller, 'PUT', path, { body: { errorCode } });
    expect([again.status, again.body.errorCode]).toEqual([422, 'TRANSACTION_IS_VERIFIED']);
  });

  it('evaluates five guesses and no more, even of fifty at once', async () => {
    const shop = await house.openShop();
    const { body: order } = await house.order(shop);
    const path = `/v1/transaction/${order.transactionId}/verification/${order.verificationId}`;
    const errorCode = await codeOf(house, order.transactionId);
    const guesses = Array.from(
      { length: 50 },
      () => () => house.call(shop.caller, 'PUT', path, { body: { errorCode: wrong(errorCode) } }),
    );
    for (const { status, body } of await inFlight(guesses)) {
      expect([status, body.errorCode]).toEqual([422, 'VERIFICATION_NOT_VALID']);
    }

    const right = await house.call(shop.caller, 'PUT', path, { body: { errorCode } });
    expect([right.status, right.body.errorCode]).toEqual([422, 'VERIFICATION_NOT_VALID']);
    const [row] = await house.rows<{ checks: number }>(
      'SELECT checks FROM verifications WHERE id = $1',
      [order.verificationId],
    );
    expect(row?.checks).toBe(5);
  });

  it('replaces a used-up code with the next resend', async () => {
    const shop = await house.openShop();
    const { body: order } = await house.order(shop);
    const path = `/v1/transaction/${order.transactionId}/verification/${order.verificationId}`;
    const first = await codeOf(house, order.transactionId);
    for (let i = 0; i < 5; i += 1) {
      await house.call(shop.caller, 'PUT', path, { body: { errorCode: wrong(first) } });
    }

    expect((await house.call(shop.caller, 'POST', path)).status).toBe(200);
    const errorCode = await codeOf(house, order.transactionId);
    expect((await house.call(shop.caller, 'PUT', path, { body: { errorCode } })).status).toBe(200);
  });

  it('knows no verification of another transaction, and no transaction of another wholesaler', async () => {
    const shop = await house.openShop();
    const { body: one } = await house.order(shop);
    const { body: two } = await house.order(shop);
    const body = { errorCode: await codeOf(house, one.transactionId) };
    const mixed = `/v1/transaction/${one.transactionId}/verification/${two.verificationId}`;
    const own = `/v1/transaction/${one.transactionId}/verification/${one.verificationId}`;

    const answers = [
      await house.call(shop.caller, 'PUT', mixed, { body }),
      await house.call(wholesaler(), 'PUT', own, { body }),
      await house.call(shop.caller, 'PUT', '/v1/transaction/x/verification/y', { body }),
    ];

    expect(answers.map(({ status, body: b }) => [status, b.errorCode])).toEqual([
      [404, 'VERIFICATION_NOT_FOUND'],
      [404, 'TRANSACTION_NOT_FOUND'],
      [404, 'TRANSACTION_NOT_FOUND'],
    ]);
  });
});
