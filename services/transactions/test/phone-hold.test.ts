import { inFlight } from '@fiado/chassis/testing/in-flight';
import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { changePhone, createSharedCornerStore, inHours, NEW_PHONE } from './support/changed-phone';
import {
  AN_ORDER,
  batchItem,
  codeOf,
  confirm,
  orderOnHold,
  outcomeOf,
  sendBatch,
  verificationPath,
  type Order,
} from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);
beforeAll(() => {
  transactions.accounts.up = false;
});

const REFUSED = '412 USER_IS_IN_INTERNAL_VALIDATION';
const NOT_SENT = '429 TOO_MANY_ATTEMPTS';

const place = async ({ store, totalAmount }: { store: CornerStore; totalAmount: number }) =>
  (await transactions.order(store, { totalAmount })).body as Order;
const tryToPlace = async (store: CornerStore, totalAmount: number) =>
  outcomeOf(await transactions.order(store, { totalAmount }));
const resend = async ({ caller }: CornerStore, order: Order) =>
  outcomeOf(await transactions.call(caller, 'POST', verificationPath(order)));
const resendWord = async ({ caller }: CornerStore, transactionId: string) =>
  outcomeOf(
    await transactions.call(caller, 'POST', `/v1/transaction/${transactionId}/delivery-word`),
  );
const deliver = async ({ caller }: CornerStore, transactionId: string, delivery: object) =>
  outcomeOf(
    await transactions.call(caller, 'PUT', `/v1/transaction/${transactionId}`, {
      body: { status: 'delivery', ...delivery },
    }),
  );
const openLink = async (transactionId: string, sendCode: string) =>
  outcomeOf(
    await transactions.call(service('gateway'), 'POST', '/internal/links/open', {
      body: { transactionId, sendCode },
    }),
  );
const createLink = async ({ caller }: CornerStore, totalAmount: number): Promise<string> => {
  const { body } = await transactions.call(caller, 'POST', '/v1/link/external/tienda-1', {
    body: { transaction: { ...AN_ORDER, totalAmount } },
  });
  return body.transactionId;
};
const placeInBatch = async (store: CornerStore, totalAmount: number): Promise<string> =>
  (await sendBatch(transactions, store, [batchItem(store.cornerStoreId, { totalAmount })])).body[0]
    .transactionId;
/** Messages to the number that the wholesaler has set. */
const sentToNewPhone = async (transactionId: string): Promise<boolean> =>
  (await transactions.lastSms(transactionId)).phone === NEW_PHONE;
const count = (outcomes: string[], outcome: string) =>
  outcomes.filter((one) => one === outcome).length;

describe('an order from before the change of the phone', () => {
  it('gets no code at the new number if it is large, until ops clears the hold', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store, neighbour } = shared;
    const order = await place({ store, totalAmount: 5000.01 });
    const others = await place({ store: neighbour, totalAmount: 6000 });
    const link = await createLink(store, 6000);
    const sentLink = await createLink(store, 6000);
    expect(await openLink(sentLink, 'if-never-sent')).toBe('200');
    await changePhone(transactions, shared);

    expect(await resend(store, order)).toBe(NOT_SENT);
    expect(await openLink(link, 'if-never-sent')).toBe(NOT_SENT);
    expect(await openLink(sentLink, 'if-never-sent')).toBe('200');
    expect(await openLink(sentLink, 'again')).toBe(NOT_SENT);
    expect(await resend(neighbour, others)).toBe('200');
    expect(await sentToNewPhone(order.transactionId)).toBe(false);
    expect(await sentToNewPhone(sentLink)).toBe(false);

    await changePhone(transactions, shared, { version: 3, phoneHeldUntil: null });
    expect(await resend(store, order)).toBe('200');
    const code = await codeOf(transactions, order.transactionId);
    expect(outcomeOf(await confirm(transactions, store, order, code))).toBe('200');
  });

  it('gets no delivery word at the new number if it is large, neither asked for nor after wrong words', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    const transactionId = await placeInBatch(store, 6000);
    await changePhone(transactions, shared);

    expect(await resendWord(store, transactionId)).toBe(NOT_SENT);
    for (let n = 0; n < 6; n += 1) {
      const delivery = { transactionAmount: 6000, deliveryWord: 'LimonTambor' };
      expect(await deliver(store, transactionId, delivery)).toBe('422 DELIVERY_WORD_NOT_VALID');
    }
    expect(await sentToNewPhone(transactionId)).toBe(false);

    await changePhone(transactions, shared, { version: 3, phoneHeldUntil: null });
    expect(await resendWord(store, transactionId)).toBe('200');
    expect(await sentToNewPhone(transactionId)).toBe(true);
  });

  it('counts against 5,000 pesos once its code or word went to the new number', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    const orders = await Promise.all(
      Array.from({ length: 9 }, () => place({ store, totalAmount: 4999 })),
    );
    const items = [await placeInBatch(store, 2000), await placeInBatch(store, 2001)];
    await changePhone(transactions, shared);

    expect(await resendWord(store, items[0] ?? '')).toBe('200');
    expect(await resend(store, orders[0] as Order)).toBe(NOT_SENT);
    expect(await tryToPlace(store, 3000.01)).toBe(REFUSED);
    expect(await tryToPlace(store, 999)).toBe('201');
    expect(await resendWord(store, items[1] ?? '')).toBe('200');
    expect(await tryToPlace(store, 100)).toBe(REFUSED);
  });

  it('confirms no more than the hold allows with a code that went to the new number already', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    const order = await place({ store, totalAmount: 6000 });
    const code = await codeOf(transactions, order.transactionId);
    await changePhone(transactions, shared);
    // As the release before sent it again.
    await transactions.rows('UPDATE verifications SET phone_changes = 1 WHERE id = $1', [
      order.verificationId,
    ]);

    const refused = await confirm(transactions, store, order, code);
    expect(outcomeOf(refused)).toBe('422 VERIFICATION_NOT_VALID');
    expect(refused.body).toMatchObject({ reason: 'phone-held', checksLeft: 5 });
    expect(await transactions.statusOf(store, order.transactionId)).toBe('pending-verification');

    await transactions.rows(
      'UPDATE customers SET phone_held_until = NULL WHERE corner_store_id = $1',
      [store.cornerStoreId],
    );
    expect(outcomeOf(await confirm(transactions, store, order, code))).toBe('200');
  });
});

describe('a phone hold', () => {
  it('bounds all orders together, of twenty at once, and leaves other wholesalers alone', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store, neighbour } = shared;
    await changePhone(transactions, shared);

    const twenty = (by: CornerStore) =>
      inFlight(Array.from({ length: 20 }, () => () => tryToPlace(by, 4999)));
    const outcomes = await twenty(store);

    expect([count(outcomes, '201'), count(outcomes, REFUSED)]).toEqual([1, 19]);
    expect(count(await inFlight([() => tryToPlace(neighbour, 9000)]), '201')).toBe(1);
    const path = '/v1/transaction/check';
    const body = { ...AN_ORDER, cornerStoreId: store.cornerStoreId, totalAmount: 4999 };
    const checked = await transactions.call(store.caller, 'POST', path, { body });
    expect(checked.body).toMatchObject({ accepted: false, maximumAmount: 0 });
  });

  it('bounds twenty codes of earlier orders that are sent again at once', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    const orders = await Promise.all(
      Array.from({ length: 17 }, () => place({ store, totalAmount: 2500 })),
    );
    await changePhone(transactions, shared);

    const outcomes = await inFlight(orders.map((order) => () => resend(store, order)));

    expect([count(outcomes, '200'), count(outcomes, NOT_SENT)]).toEqual([2, 15]);
  });

  it('goes on after another change of the phone, and begins anew after its end', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    await changePhone(transactions, shared);
    const order = await place({ store, totalAmount: 4000 });
    await changePhone(transactions, shared, { version: 3 });

    expect(await tryToPlace(store, 1000.01)).toBe(REFUSED);
    expect(await resend(store, order)).toBe('200');

    await transactions.rows(
      `UPDATE customers SET phone_held_until = now() WHERE corner_store_id = $1`,
      [store.cornerStoreId],
    );
    await changePhone(transactions, shared, { version: 4, phoneHeldUntil: inHours(24) });
    expect(await tryToPlace(store, 5000)).toBe('201');
  });

  it('gives back the credit of a cancelled order', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    await changePhone(transactions, shared);
    const { transactionId } = await place({ store, totalAmount: 5000 });
    expect(await tryToPlace(store, 100)).toBe(REFUSED);
    const path = `/v1/transaction/${transactionId}/cancel`;
    expect((await transactions.call(store.caller, 'POST', path)).status).toBe(200);
    expect(await tryToPlace(store, 5000)).toBe('201');
  });

  it('bounds a larger delivery of its orders, and not of those that the old number confirmed', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    const before = await orderOnHold(transactions, store, { totalAmount: 8000 });
    await changePhone(transactions, shared);
    const { transactionId } = await orderOnHold(transactions, store, { totalAmount: 4900 });

    expect(await deliver(store, transactionId, { transactionAmount: 5000.01 })).toBe(
      '422 CREDIT_LIMIT_EXCEEDED',
    );
    expect(await deliver(store, transactionId, { transactionAmount: 5000 })).toBe('200');
    expect(await deliver(store, before.transactionId, { transactionAmount: 8800 })).toBe('200');
    await transactions.checkLedger();
  });
});
