import { ops, service } from '@fiado/chassis/testing/callers';
import type { SendMessage } from '@fiado/contracts/jobs/send-message';
import { forAllTests } from '../../../test/support/for-all-tests';
import {
  changePhone,
  createSharedCornerStore,
  inHours,
  NEW_PHONE,
  storeIds,
} from './support/changed-phone';
import {
  AN_ORDER,
  batchItem,
  codeOf,
  confirm,
  orderOnHold,
  outcomeOf,
  sendBatch,
  verificationPath,
  wordOf,
} from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

const REFUSED = '412 USER_IS_IN_INTERNAL_VALIDATION';

const batch = (store: CornerStore) =>
  sendBatch(transactions, store, [batchItem(store.cornerStoreId)]);
const deliver = (store: CornerStore, transactionId: string, deliveryWord: string) =>
  transactions.call(store.caller, 'PUT', `/v1/transaction/${transactionId}`, {
    body: { status: 'delivery', transactionAmount: 1000, deliveryWord },
  });
describe('a wholesaler that changed the phone', () => {
  it('invalidates earlier codes; a resend sends one to the new number', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store, neighbour } = shared;
    const own = (await transactions.order(store)).body;
    const others = (await transactions.order(neighbour)).body;
    const [code, othersCode] = [
      await codeOf(transactions, own.transactionId),
      await codeOf(transactions, others.transactionId),
    ];
    await changePhone(transactions, shared);

    const refused = await confirm(transactions, store, own, code);
    expect(outcomeOf(refused)).toBe('422 VERIFICATION_NOT_VALID');
    expect(refused.body).toMatchObject({ reason: 'expired', checksLeft: 0 });
    expect(outcomeOf(await confirm(transactions, neighbour, others, othersCode))).toBe('200');

    expect((await transactions.call(store.caller, 'POST', verificationPath(own))).status).toBe(200);
    const { phone } = await transactions.lastSms(own.transactionId);
    const renewed = await codeOf(transactions, own.transactionId);
    expect([phone, renewed === code]).toEqual([NEW_PHONE, false]);
    expect(outcomeOf(await confirm(transactions, store, own, renewed))).toBe('200');
    expect(
      outcomeOf(
        await deliver(store, own.transactionId, await wordOf(transactions, own.transactionId)),
      ),
    ).toBe('200');
  });

  it('has every SMS to the number counted against it, until a code of its own has come back', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store, neighbour } = shared;
    await changePhone(transactions, shared, { phoneHeldUntil: null });
    const budgetsOf = async (about: string) =>
      (await transactions.outbox('send-message'))
        .filter((row) => row.aggregate_id === about)
        .map(({ data }) => [(data as SendMessage).template, (data as SendMessage).unprovenBy]);
    const proved = async () => (await transactions.outbox('phone.proved')).length;
    const before = await proved();

    for (const [buyer, told] of [
      [neighbour, 0],
      [store, 1],
    ] as const) {
      const { body: order } = await transactions.order(buyer);
      await transactions.call(buyer.caller, 'POST', verificationPath(order));
      await confirm(transactions, buyer, order, await codeOf(transactions, order.transactionId));
      expect(await budgetsOf(order.transactionId)).toEqual([
        ['order-code', store.caller.id],
        ['order-code', store.caller.id],
        ['delivery-word', store.caller.id],
      ]);
      expect((await proved()) - before).toBe(told);
    }
  });

  it('invalidates earlier codes of links; the page sends a new one', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    const link = await transactions.call(store.caller, 'POST', '/v1/link/external/tienda-1', {
      body: { transaction: AN_ORDER },
    });
    const { transactionId } = link.body;
    const page = (path: string, body: object) =>
      transactions.call(service('gateway'), 'POST', `/internal/links/${path}`, {
        body: { transactionId, ...body },
      });
    await page('open', { sendCode: 'if-never-sent' });
    const code = await codeOf(transactions, transactionId);
    await changePhone(transactions, shared);

    expect(outcomeOf(await page('check-code', { code }))).toBe('422 VERIFICATION_NOT_VALID');
    await page('open', { sendCode: 'again' });
    const renewed = await codeOf(transactions, transactionId);
    expect((await transactions.lastSms(transactionId)).phone).toBe(NEW_PHONE);
    expect(outcomeOf(await page('check-code', { code: renewed }))).toBe('200');
  });

  it('invalidates its earlier delivery words; resendDeliveryWord makes new ones, other wholesalers keep theirs', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store, neighbour } = shared;
    const [own, ofBatch, others] = [
      (await orderOnHold(transactions, store)).transactionId,
      (await batch(store)).body[0].transactionId as string,
      (await orderOnHold(transactions, neighbour)).transactionId,
    ];
    const othersWord = await wordOf(transactions, others);
    const before = [await wordOf(transactions, own), await wordOf(transactions, ofBatch)];
    await changePhone(transactions, shared);

    for (const [n, id] of [own, ofBatch].entries()) {
      expect(outcomeOf(await deliver(store, id, before[n] as string))).toBe(
        '422 DELIVERY_WORD_NOT_VALID',
      );
      const path = `/v1/transaction/${id}/delivery-word`;
      expect((await transactions.call(store.caller, 'POST', path)).status).toBe(200);
      const word = await wordOf(transactions, id);
      expect([word === before[n], (await transactions.lastSms(id)).phone]).toEqual([
        false,
        NEW_PHONE,
      ]);
      expect((await transactions.call(store.caller, 'POST', path)).status).toBe(200);
      expect(await wordOf(transactions, id)).toBe(word);
      expect(outcomeOf(await deliver(store, id, word))).toBe('200');
    }
    expect(outcomeOf(await deliver(neighbour, others, othersWord))).toBe('200');
  });

  it('keeps the counts of wrong words; ops’ reset makes a new word too', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store } = shared;
    const { transactionId } = await orderOnHold(transactions, store);
    for (let wrong = 0; wrong < 3; wrong += 1) await deliver(store, transactionId, 'nada');
    const before = await wordOf(transactions, transactionId);
    await changePhone(transactions, shared);

    await transactions.call(store.caller, 'POST', `/v1/transaction/${transactionId}/delivery-word`);
    const [counts] = await transactions.rows(
      'SELECT wrong_checks_in_all FROM delivery_words WHERE transaction_id = $1',
      [transactionId],
    );
    expect(counts).toEqual({ wrong_checks_in_all: 3 });

    await changePhone(transactions, shared, { version: 3 });
    const reset = `/v1/admin/transactions/${transactionId}/reset-delivery-word`;
    expect((await transactions.call(ops(), 'POST', reset)).status).toBe(200);
    const word = await wordOf(transactions, transactionId);
    expect(word).not.toBe(before);
    expect(outcomeOf(await deliver(store, transactionId, word))).toBe('200');
  });

  it('places no order above 5,000 pesos and no batch item; another wholesaler places both', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store, neighbour } = shared;
    await changePhone(transactions, shared);
    transactions.accounts.up = false;
    const check = (by: CornerStore, totalAmount: number) =>
      transactions.call(by.caller, 'POST', '/v1/transaction/check', {
        body: { cornerStoreId: by.cornerStoreId, ...AN_ORDER, totalAmount },
      });
    const link = (by: CornerStore) =>
      transactions.call(by.caller, 'POST', '/v1/link/external/tienda-1', {
        body: { transaction: { ...AN_ORDER, totalAmount: 5000.01 } },
      });

    expect(outcomeOf(await transactions.order(store, { totalAmount: 5000.01 }))).toBe(REFUSED);
    expect(outcomeOf(await link(store))).toBe(REFUSED);
    expect((await batch(store)).body[0].rejectionReasons).toEqual([
      'USER_IS_IN_INTERNAL_VALIDATION',
    ]);
    expect((await check(store, 6000)).body).toMatchObject({
      accepted: false,
      rejectionReasons: ['USER_IS_IN_INTERNAL_VALIDATION'],
      maximumAmount: 5000,
    });
    expect(outcomeOf(await transactions.order(store, { totalAmount: 5000 }))).toBe('201');

    expect(outcomeOf(await transactions.order(neighbour, { totalAmount: 5000.01 }))).toBe('201');
    expect(outcomeOf(await link(neighbour))).toBe('201');
    expect((await batch(neighbour)).body[0].status).toBe('accepted');
    transactions.accounts.up = true;
  });

  it('places them again after ops cleared the hold, and after 24 hours', async () => {
    const shared = await createSharedCornerStore(transactions);
    const { store, customers } = shared;
    await changePhone(transactions, shared, { phoneHeldUntil: inHours(-0.01) });
    expect(outcomeOf(await transactions.order(store, { totalAmount: 6000 }))).toBe('201');

    await changePhone(transactions, shared, { version: 3 });
    transactions.createCornerStoreInAccounts({
      caller: store.caller,
      version: 4,
      store: {
        ...storeIds(store),
        creditLimitCents: 9_000_000,
        customers: customers.map(({ wholesalerId, externalId }) => ({
          wholesalerId,
          externalId,
          phoneChanges: 2,
          phoneHeldUntil: null,
        })),
      },
    });
    expect(outcomeOf(await transactions.order(store, { totalAmount: 6000 }))).toBe('201');
  });

  it('is not released by an older message', async () => {
    const shared = await createSharedCornerStore(transactions);
    await changePhone(transactions, shared, { version: 3 });
    await changePhone(transactions, shared, { version: 2, phoneHeldUntil: null });
    transactions.accounts.up = false;
    expect(outcomeOf(await transactions.order(shared.store, { totalAmount: 6000 }))).toBe(REFUSED);
    transactions.accounts.up = true;
  });
});
