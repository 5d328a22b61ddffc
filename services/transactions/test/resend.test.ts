import { codeOf, orderOnHold } from './support/orders';
import { startTransactions, type TransactionsService } from './support/transactions';

let transactions: TransactionsService;
beforeAll(async () => {
  transactions = await startTransactions();
});
afterAll(() => transactions.stop());

describe('POST /transaction/{id}/verification/{id}', () => {
  it('sends the same code again, five messages in all', async () => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store);
    const path = `/v1/transaction/${order.transactionId}/verification/${order.verificationId}`;
    const code = await codeOf(transactions, order.transactionId);

    for (let i = 0; i < 4; i += 1) {
      const answer = await transactions.call(store.caller, 'POST', path);
      expect([answer.status, answer.body]).toEqual([
        200,
        { message: 'The verification code was sent to ********5678' },
      ]);
      expect(await codeOf(transactions, order.transactionId)).toBe(code);
    }
    const sixth = await transactions.call(store.caller, 'POST', path);
    expect([sixth.status, sixth.body.errorCode]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  });
});

describe('POST /transaction/{id}/delivery-word', () => {
  it('sends the same word again and answers in errorMessage', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    const before = await transactions.lastSms(transactionId);

    const answer = await transactions.call(
      store.caller,
      'POST',
      `/v1/transaction/${transactionId}/delivery-word`,
    );

    expect([answer.status, answer.body]).toEqual([
      200,
      { errorMessage: 'The delivery word was sent' },
    ]);
    expect(await transactions.lastSms(transactionId)).toEqual(before);
  });

  it('refuses an order that is not on hold, or has no word', async () => {
    const store = await transactions.createCornerStore();
    const { body: order } = await transactions.order(store);
    const path = `/v1/transaction/${order.transactionId}/delivery-word`;
    const early = await transactions.call(store.caller, 'POST', path);
    expect([early.status, early.body.errorCode]).toEqual([422, 'TRANSACTION_IS_NOT_IN_HOLD']);

    const silent = await transactions.createCornerStore({
      settings: { deliveryWordEnabled: false },
    });
    const { transactionId } = await orderOnHold(transactions, silent);
    const none = await transactions.call(
      silent.caller,
      'POST',
      `/v1/transaction/${transactionId}/delivery-word`,
    );
    expect([none.status, none.body.errorCode]).toEqual([400, 'DELIVERY_WORD_NOT_FOUND']);
  });
});
