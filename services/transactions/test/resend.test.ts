import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { codeOf, orderOnHold } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

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
    // No time brings these back.
    expect(sixth.headers.get('retry-after')).toBeNull();
  });
});

it('no code and no word is sent again to a store that the lender looks into', async () => {
  const store = await transactions.createCornerStore();
  const { body: order } = await transactions.order(store);
  const held = await orderOnHold(transactions, store);
  const resent = [
    `/v1/transaction/${order.transactionId}/verification/${order.verificationId}`,
    `/v1/transaction/${held.transactionId}/delivery-word`,
  ];
  await transactions.rows(
    `UPDATE credit_lines SET status = 'in-manual-validation' WHERE corner_store_id = $1 RETURNING 1`,
    [store.cornerStoreId],
  );
  for (const path of resent) {
    const { status, body } = await transactions.call(store.caller, 'POST', path);
    expect([status, body.errorCode]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
  }
});

describe('POST /admin/transactions/{id}/resend-code', () => {
  const resend = (id: string, caller = ops('operator')) =>
    transactions.call(caller, 'POST', `/v1/admin/transactions/${id}/resend-code`);

  it('sends the same code again within the same limit, and is audited', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = (await transactions.order(store)).body;
    const code = await codeOf(transactions, transactionId);

    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push(await resend(transactionId));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(await codeOf(transactions, transactionId)).toBe(code);
    const audited = await transactions.rows(
      `SELECT 1 FROM outbox WHERE data->>'action' = 'order-code.resent' AND data->>'objectId' = $1`,
      [transactionId],
    );
    expect(audited).toHaveLength(4);
  });

  it('is for operators, and for an order that awaits its code', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    const answers = [
      await resend(transactionId, ops('viewer')),
      await resend(transactionId, store.caller),
      await resend(transactionId),
      await resend(randomUUID()),
    ];
    expect(answers.map(({ status, body }) => [status, body.errorCode])).toEqual([
      [403, 'FORBIDDEN'],
      [403, 'FORBIDDEN'],
      [422, 'TRANSACTION_IS_VERIFIED'],
      [404, 'TRANSACTION_NOT_FOUND'],
    ]);
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
