import { randomUUID } from 'node:crypto';
import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { confirm } from './support/orders';
import { startTransactions } from './support/transactions';

const transactions = forAllTests(startTransactions);

it('a code is alive until its order is confirmed, a delivery word from then on', async () => {
  const store = await transactions.createCornerStore();
  const { body: order } = await transactions.order(store);
  const { transactionId, verificationId } = order;
  const code = {
    messageId: randomUUID(),
    template: 'order-code',
    subjectId: transactionId,
    verificationId,
  };
  const word = { messageId: randomUUID(), template: 'delivery-word', subjectId: transactionId };
  const stranger = { ...code, messageId: randomUUID(), verificationId: randomUUID() };
  const alive = async () => {
    const body = { messages: [code, word, stranger] };
    const answer = await transactions.call(service('notifier'), 'POST', '/internal/live-messages', {
      body,
    });
    return answer.body.messageIds;
  };

  expect(await alive()).toEqual([code.messageId]);
  const { values } = await transactions.lastSms(transactionId);
  const { status } = await confirm(transactions, store, order, (values as { code: string }).code);
  expect(status).toBe(200);
  expect(await alive()).toEqual([word.messageId]);
});
