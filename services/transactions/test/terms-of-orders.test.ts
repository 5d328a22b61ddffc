import { dayAfter } from '@fiado/contracts/clock';
import type { TransactionDelivered } from '@fiado/contracts/jobs/debts';
import { service } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { AN_ORDER, batchItem, codeOf, orderOnHold, outcomeOf, sendBatch } from './support/orders';
import { startTransactions, type CornerStore } from './support/transactions';

const transactions = forAllTests(startTransactions);

const MADE_WITH = { paymentTermDays: 14, deliveryOverageRate: '0.10' };
const LATER = { paymentTermDays: 90, deliveryOverageRate: '0' };

const page = (path: string, body: object) =>
  transactions.call(service('gateway'), 'POST', `/internal/links/${path}`, { body });

/** Places an order that may be delivered, in each way that there is. */
const WAYS: Record<string, (store: CornerStore) => Promise<string>> = {
  'with a code': async (store) => (await orderOnHold(transactions, store)).transactionId,
  'without a code': async (store) => (await transactions.order(store)).body.transactionId,
  'in a batch': async (store) =>
    (await sendBatch(transactions, store, [batchItem(store.cornerStoreId)])).body[0].transactionId,
  'by a link': orderByLink,
};

/** Makes a link, has its code sent and enters it. */
async function openLink(store: CornerStore): Promise<string> {
  const { body } = await transactions.call(store.caller, 'POST', '/v1/link/external/tienda-1', {
    body: { transaction: AN_ORDER },
  });
  const { transactionId } = body;
  await page('open', { transactionId, sendCode: 'if-never-sent' });
  return transactionId;
}

async function enterCode(transactionId: string) {
  const code = await codeOf(transactions, transactionId);
  return (await page('check-code', { transactionId, code })).body;
}

async function orderByLink(store: CornerStore): Promise<string> {
  const transactionId = await openLink(store);
  const { pass } = await enterCode(transactionId);
  expect((await page('accept', { transactionId, pass })).status).toBe(200);
  return transactionId;
}

/** The store as it is after a change in accounts. */
function change(
  { caller, cornerStoreId, userId }: CornerStore,
  { settings = {}, timeZone }: { settings?: object; timeZone?: string },
  version = 2,
): Promise<CornerStore> {
  const store = { cornerStoreId, userId, ...(timeZone === undefined ? {} : { timeZone }) };
  return transactions.createCornerStore({ caller, version, store, settings });
}

const deliver = (store: CornerStore, transactionId: string, transactionAmount = 1000) =>
  transactions.call(store.caller, 'PUT', `/v1/transaction/${transactionId}`, {
    body: { status: 'delivery', transactionAmount },
  });

async function debtOf(transactionId: string): Promise<TransactionDelivered> {
  const [job] = await transactions.rows<{ data: TransactionDelivered }>(
    `SELECT data FROM outbox WHERE type = 'transaction.delivered' AND aggregate_id = $1`,
    [transactionId],
  );
  if (job === undefined) throw new Error('No debt was announced');
  return job.data;
}

async function shown({ caller }: CornerStore, transactionId: string) {
  return (await transactions.call(caller, 'GET', `/v1/transaction/${transactionId}`)).body;
}

describe('the terms of an order', () => {
  it.each(Object.keys(WAYS))('placed %s are those that it was made with', async (way) => {
    const settings = { ...MADE_WITH, confirmationRequired: way !== 'without a code' };
    const timeZone = 'America/Tijuana';
    const store = await transactions.createCornerStore({ settings, store: { timeZone } });
    const transactionId = (await WAYS[way]?.(store)) ?? '';
    const [{ at } = { at: new Date(0) }] = await transactions.rows<{ at: Date }>(
      'SELECT created_at AS at FROM transactions WHERE id = $1',
      [transactionId],
    );
    const estimate = dayAfter(at, timeZone, 14).end.toISOString();
    expect(await shown(store, transactionId)).toMatchObject({
      paymentDate: estimate,
      paymentTimeZone: timeZone,
    });
    await change(store, { settings: LATER, timeZone: 'America/Cancun' });

    expect(outcomeOf(await deliver(store, transactionId, 1100.01))).toBe(
      '422 TRANSACTION_AMOUNT_NOT_ALLOWED',
    );
    expect(outcomeOf(await deliver(store, transactionId, 1100))).toBe('200');

    const debt = await debtOf(transactionId);
    const due = dayAfter(new Date(debt.deliveredAt), timeZone, 14);
    expect(debt).toMatchObject({
      dueOn: due.date,
      dueAt: due.end.toISOString(),
      timeZone: 'America/Tijuana',
    });
    expect(await shown(store, transactionId)).toMatchObject({
      paymentDate: due.end.toISOString(),
      paymentTimeZone: 'America/Tijuana',
    });
    const path = '/internal/delivered-transaction';
    const body = { transactionId, wholesalerId: store.caller.id };
    const asked = await transactions.call(service('payments'), 'POST', path, { body });
    expect(asked.body.delivered).toMatchObject({ dueOn: due.date, timeZone: 'America/Tijuana' });
  });

  it('of the release before are the settings at its delivery, in the time zone of the installation', async () => {
    const store = await transactions.createCornerStore({
      settings: MADE_WITH,
      store: { timeZone: 'Pacific/Honolulu' },
    });
    const { transactionId } = await orderOnHold(transactions, store);
    await transactions.rows(
      `UPDATE transactions SET payment_term_days = NULL, delivery_overage_rate = NULL,
         payment_due_on = NULL, payment_time_zone = NULL WHERE id = $1`,
      [transactionId],
    );
    expect(await shown(store, transactionId)).toMatchObject({
      paymentTimeZone: 'America/Mexico_City',
    });
    await change(store, { settings: { paymentTermDays: 30, deliveryOverageRate: '0.20' } });

    expect(outcomeOf(await deliver(store, transactionId, 1200))).toBe('200');

    const debt = await debtOf(transactionId);
    const due = dayAfter(new Date(debt.deliveredAt), 'America/Mexico_City', 30);
    expect(debt).toMatchObject({ dueOn: due.date, timeZone: 'America/Mexico_City' });
  });

  it('are on the page of its link, whatever the settings are by then', async () => {
    const store = await transactions.createCornerStore({
      settings: MADE_WITH,
      store: { timeZone: 'America/Tijuana' },
    });
    const transactionId = await openLink(store);
    await change(store, { settings: LATER, timeZone: 'America/Cancun' });

    const { order } = await enterCode(transactionId);

    expect(order).toMatchObject({
      paymentTermDays: 14,
      maximumTotal: 1163.8,
      timeZone: 'America/Tijuana',
    });
  });
});

it('a store keeps its time zone when an older event has none', async () => {
  const store = await transactions.createCornerStore({ store: { timeZone: 'America/Tijuana' } });
  await change(store, {});
  const { transactionId } = await orderOnHold(transactions, store);
  expect(await shown(store, transactionId)).toMatchObject({ paymentTimeZone: 'America/Tijuana' });
});
