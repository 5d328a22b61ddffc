import { startNotifierStandIn, type NotifierStandIn } from '@fiado/chassis/testing/stand-in';
import { orderOnHold } from './support/orders';
import {
  startTransactions,
  type TransactionsService,
  type CornerStore,
} from './support/transactions';

let notifier: NotifierStandIn;
let transactions: TransactionsService;
let store: CornerStore;

beforeAll(async () => {
  notifier = await startNotifierStandIn();
  transactions = await startTransactions({ NOTIFIER_URL: notifier.url });
  store = await transactions.createCornerStore();
});
afterAll(async () => {
  await transactions.stop();
  await notifier.stop();
});
beforeEach(() => {
  notifier.budget = 'allowed';
  notifier.smsStatus = null;
  notifier.questions.length = 0;
});

/** An order, and the paths on which its code and its word are sent again. */
async function pendingOrder() {
  const { body } = await transactions.order(store);
  const { transactionId, verificationId } = body;
  return { transactionId, path: `/v1/transaction/${transactionId}/verification/${verificationId}` };
}
async function orderWithWord() {
  const { transactionId } = await orderOnHold(transactions, store);
  return { transactionId, path: `/v1/transaction/${transactionId}/delivery-word` };
}

const smsAbout = async (id: string) =>
  (await transactions.outbox('send-message')).filter((row) => row.aggregate_id === id).length;

describe.each([
  ['resendTransactionCode', 'order-code', pendingOrder],
  ['resendDeliveryWord', 'delivery-word', orderWithWord],
])('%s', (_name, template, newOrder) => {
  it('answers 429 and changes nothing when a budget would refuse the SMS', async () => {
    const { transactionId, path } = await newOrder();
    const before = await smsAbout(transactionId);
    notifier.budget = 'refused';
    for (let tries = 0; tries < 6; tries += 1) {
      const { status, body, headers } = await transactions.call(store.caller, 'POST', path);
      expect([status, body.errorCode]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
      expect(headers.get('retry-after')).toBe('3600');
    }
    expect(await smsAbout(transactionId)).toBe(before);
    expect(notifier.questions.at(-1)).toMatchObject({
      path: '/internal/sms-budget',
      body: { template, wholesalerId: store.caller.id, phoneIndex: expect.any(String) },
    });

    // Refused codes do not count as sent.
    notifier.budget = 'allowed';
    expect((await transactions.call(store.caller, 'POST', path)).status).toBe(200);
    expect(await smsAbout(transactionId)).toBe(before + 1);
  });

  it('sends when the notifier does not answer', async () => {
    const { path } = await newOrder();
    notifier.budget = 'hangs';
    expect((await transactions.call(store.caller, 'POST', path)).status).toBe(200);
  });

  it('reports other errors first', async () => {
    const { path } = await newOrder();
    notifier.budget = 'refused';
    const other = await transactions.createCornerStore();
    const { status, body } = await transactions.call(other.caller, 'POST', path);
    expect([status, body.errorCode]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
  });
});

it('resendDeliveryWord checks for a word before it checks budgets', async () => {
  const silent = await transactions.createCornerStore({ settings: { deliveryWordEnabled: false } });
  const { transactionId } = await orderOnHold(transactions, silent);
  notifier.budget = 'refused';
  const path = `/v1/transaction/${transactionId}/delivery-word`;
  const { body } = await transactions.call(silent.caller, 'POST', path);
  expect(body.errorCode).toBe('DELIVERY_WORD_NOT_FOUND');
});

it('createTransaction does not call the notifier', async () => {
  notifier.budget = 'refused';
  const { status, body } = await transactions.order(store);
  expect([status, Object.keys(body).sort()]).toEqual([
    201,
    ['incrementalID', 'transactionId', 'userPhoneNumber', 'verificationId'],
  ]);
  expect(notifier.questions).toEqual([]);
});

describe('verification.smsStatus of getTransaction', () => {
  const get = async (transactionId: string) => {
    const { status, body } = await transactions.call(
      store.caller,
      'GET',
      `/v1/transaction/${transactionId}`,
    );
    expect(status).toBe(200);
    return body.verification;
  };

  it('is the status of the newest code in the notifier', async () => {
    const { transactionId } = await pendingOrder();
    notifier.smsStatus = 'failed';
    expect(await get(transactionId)).toMatchObject({ smsStatus: 'failed' });
    expect(notifier.questions).toEqual([
      { path: '/internal/sms-status', body: { subjectId: transactionId, template: 'order-code' } },
    ]);
  });

  it('is pending until the notifier has the message', async () => {
    const { transactionId } = await pendingOrder();
    expect(await get(transactionId)).toMatchObject({ smsStatus: 'pending' });
  });

  it('is null when the notifier does not answer', async () => {
    const { transactionId } = await pendingOrder();
    notifier.budget = 'hangs';
    expect(await get(transactionId)).toMatchObject({ smsStatus: null });
  });

  it('is null without a call if no code was sent', async () => {
    const trusted = await transactions.createCornerStore({
      settings: { confirmationRequired: false },
    });
    const { body } = await transactions.order(trusted);
    const read = await transactions.call(
      trusted.caller,
      'GET',
      `/v1/transaction/${body.transactionId}`,
    );
    expect(read.body.verification).toMatchObject({ smsStatus: null });
    expect(notifier.questions).toEqual([]);
  });
});
