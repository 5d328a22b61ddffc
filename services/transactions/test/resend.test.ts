import { codeOf, orderOnHold, startHouse, type House } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

describe('POST /transaction/{id}/verification/{id}', () => {
  it('sends the same code again, five messages in all', async () => {
    const shop = await house.openShop();
    const { body: order } = await house.order(shop);
    const path = `/v1/transaction/${order.transactionId}/verification/${order.verificationId}`;
    const code = await codeOf(house, order.transactionId);

    for (let i = 0; i < 4; i += 1) {
      const answer = await house.call(shop.caller, 'POST', path);
      expect([answer.status, answer.body]).toEqual([
        200,
        { message: 'The verification code was sent to ********5678' },
      ]);
      expect(await codeOf(house, order.transactionId)).toBe(code);
    }
    const sixth = await house.call(shop.caller, 'POST', path);
    expect([sixth.status, sixth.body.errorCode]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  });
});

describe('POST /transaction/{id}/delivery-word', () => {
  it('sends the same word again and answers in errorMessage', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);
    const before = await house.lastSms(transactionId);

    const answer = await house.call(
      shop.caller,
      'POST',
      `/v1/transaction/${transactionId}/delivery-word`,
    );

    expect([answer.status, answer.body]).toEqual([
      200,
      { errorMessage: 'The delivery word was sent' },
    ]);
    expect(await house.lastSms(transactionId)).toEqual(before);
  });

  it('refuses an order that is not on hold, or has no word', async () => {
    const shop = await house.openShop();
    const { body: order } = await house.order(shop);
    const path = `/v1/transaction/${order.transactionId}/delivery-word`;
    const early = await house.call(shop.caller, 'POST', path);
    expect([early.status, early.body.errorCode]).toEqual([422, 'TRANSACTION_IS_NOT_IN_HOLD']);

    const silent = await house.openShop({ settings: { deliveryWordEnabled: false } });
    const { transactionId } = await orderOnHold(house, silent);
    const none = await house.call(
      silent.caller,
      'POST',
      `/v1/transaction/${transactionId}/delivery-word`,
    );
    expect([none.status, none.body.errorCode]).toEqual([400, 'DELIVERY_WORD_NOT_FOUND']);
  });
});
