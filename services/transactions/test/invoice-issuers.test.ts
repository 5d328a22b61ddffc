import { randomUUID } from 'node:crypto';
import { ops, staffMember, wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { CHANGE_JOBS } from '@fiado/contracts/jobs/changes';
import { INVOICE } from './support/facturapi';
import { orderOnHold } from './support/orders';
import { type Invoicing, ISSUER, startInvoicing } from './support/stamped-invoices';
import { type CornerStore, startTransactions } from './support/transactions';

let invoicing: Invoicing;
let facturapi: Invoicing['facturapi'];
let transactions: Invoicing['transactions'];
beforeAll(async () => {
  invoicing = await startInvoicing();
  ({ facturapi, transactions } = invoicing);
});
afterAll(() => invoicing.stop());
beforeEach(() => facturapi.reset());

const pathOf = (wholesalerId: string) => `/v1/admin/wholesalers/${wholesalerId}/invoice-issuer`;
const set: Invoicing['setIssuer'] = (...asked) => invoicing.setIssuer(...asked);
const get = ({ caller }: CornerStore) => transactions.call(ops(), 'GET', pathOf(caller.id));
const remove = ({ caller }: CornerStore, by = ops()) =>
  transactions.call(by, 'DELETE', pathOf(caller.id));
const decide = (changeRequestId: string, isApproved: boolean) =>
  transactions.deliver(
    CHANGE_JOBS.settlement.decided,
    { id: changeRequestId, version: 2 },
    { changeRequestId, isApproved, decidedBy: randomUUID() },
  );

/** An order of a store with its invoice, once the provider has answered. */
async function invoice(store: CornerStore): Promise<{ path: string; status: number }> {
  const { transactionId } = await orderOnHold(transactions, store);
  const path = `/v1/transaction/${transactionId}/invoice`;
  const { status } = await transactions.call(store.caller, 'POST', path, {
    body: { invoice: INVOICE },
  });
  if (status !== 201) return { path, status };
  await until('it was tried', async () => {
    const { body } = await transactions.call(store.caller, 'GET', path);
    return body.status !== 'pending';
  });
  return { path, status };
}

const sent = () =>
  facturapi.calls.map(({ key, route, body }) => [key, route.split(' ')[0], body['payment_form']]);

it('invoices of two wholesalers have two taxpayers, also after a new key, and without an issuer none', async () => {
  const north = await transactions.createCornerStore();
  const south = await transactions.createCornerStore({ caller: wholesaler(randomUUID(), 'Sur') });
  expect((await set(north)).status).toBe(200);
  expect(
    (
      await set(south, {
        apiKey: 'sk_test_south1234',
        receiptPaymentForm: '28',
        series: 'F',
        webhookSecret: 'south-secret',
      })
    ).body,
  ).toEqual({
    wholesalerId: south.caller.id,
    provider: 'facturapi',
    apiKey: '…1234',
    receiptPaymentForm: '28',
    series: 'F',
    webhookSecret: '…cret',
    webhookUrl: `http://127.0.0.1:3000/v1/callbacks/facturapi/${south.caller.id}`,
    updatedAt: expect.any(String),
  });
  await invoice(north);
  await invoice(south);
  await set(north, { apiKey: 'sk_test_north5678' });
  await invoice(north);
  expect(sent()).toEqual([
    ['sk_test_north1234', 'POST', '01'],
    ['sk_test_south1234', 'POST', '28'],
    ['sk_test_north5678', 'POST', '01'],
  ]);
  const stored = await transactions.rows<{ text: string }>(
    `SELECT encode(api_key_sealed || coalesce(webhook_secret_sealed, ''), 'escape') AS text
       FROM invoice_issuers`,
  );
  expect(stored.map(({ text }) => text).join('')).not.toMatch(/north|south/);

  expect((await remove(north)).status).toBe(200);
  expect((await remove(north)).body.errorCode).toBe('INVOICE_ISSUER_NOT_FOUND');
  expect((await get(north)).body.errorCode).toBe('INVOICE_ISSUER_NOT_FOUND');
  expect((await invoice(north)).status).toBe(422);
  expect(await transactions.outbox('audit.recorded')).toHaveLength(4);
});

it('what an issuer has issued is cancelled with its key', async () => {
  const store = await transactions.createCornerStore();
  await set(store);
  const { path } = await invoice(store);
  await transactions.call(store.caller, 'POST', path.replace('/invoice', '/cancel'));
  await until('the provider was asked', () => sent().length === 2);
  await until('it is cancelled', async () => {
    const { body } = await transactions.call(store.caller, 'GET', path);
    return body.cancellation === 'accepted';
  });
  expect(sent().map(([key, method]) => [key, method])).toEqual([
    [ISSUER.apiKey, 'POST'],
    [ISSUER.apiKey, 'DELETE'],
  ]);
});

it('an issuer that a person sets waits for a second one, who does not get its key', async () => {
  const store = await transactions.createCornerStore();
  const person = staffMember('admin', new Date());
  const asked = await set(store, {}, person);
  expect([asked.status, asked.body.status]).toEqual([202, 'pending']);
  const [job] = await transactions.outbox('settlement-change.requested');
  expect(job?.data).toMatchObject({
    kind: 'invoice-issuer.set',
    targetId: store.caller.id,
    payload: { provider: 'facturapi', receiptPaymentForm: '01', apiKey: '…1234' },
    before: {},
  });
  expect(JSON.stringify(job?.data)).not.toMatch(/Sealed|north/);
  expect((await set(store, {}, person)).body).toEqual(asked.body);
  expect((await set(store, { receiptPaymentForm: '03' }, person)).body.errorCode).toBe(
    'CHANGE_ALREADY_REQUESTED',
  );
  expect((await get(store)).status).toBe(404);

  await decide(asked.body.changeRequestId, true);
  expect((await get(store)).body).toMatchObject({ apiKey: '…1234', receiptPaymentForm: '01' });
  await invoice(store);
  expect(sent()).toEqual([[ISSUER.apiKey, 'POST', '01']]);

  const rejected = await set(store, { receiptPaymentForm: '28' }, person);
  await decide(rejected.body.changeRequestId, false);
  expect((await get(store)).body.receiptPaymentForm).toBe('01');
  const ended = await set(store, { receiptPaymentForm: '28' }, person);
  await remove(store);
  await decide(ended.body.changeRequestId, true);
  expect((await get(store)).status).toBe(404);
});

it('the end of an issuer that a person asks for waits for a second one', async () => {
  const store = await transactions.createCornerStore();
  const person = staffMember('admin', new Date());
  expect((await remove(store, person)).body.errorCode).toBe('INVOICE_ISSUER_NOT_FOUND');
  await set(store, { webhookSecret: 'north-secret' });
  const rejected = await remove(store, person);
  expect([rejected.status, rejected.body.status]).toEqual([202, 'pending']);
  expect((await remove(store, person)).body).toEqual(rejected.body);
  expect((await set(store, {}, person)).body.errorCode).toBe('CHANGE_ALREADY_REQUESTED');
  const job = (await transactions.outbox('settlement-change.requested')).at(-1);
  expect(job?.data).toMatchObject({
    kind: 'invoice-issuer.remove',
    payload: {},
    before: { apiKey: '…1234', webhookSecret: '…cret' },
  });
  await decide(rejected.body.changeRequestId, false);
  expect((await get(store)).status).toBe(200);
  await decide((await remove(store, person)).body.changeRequestId, true);
  expect((await get(store)).status).toBe(404);
});

it('refuses a live key in a sandbox, a test key in production, the form 99 and an unknown wholesaler', async () => {
  const store = await transactions.createCornerStore();
  const answers = [
    await set(store, { apiKey: 'sk_live_north1234' }),
    await set(store, { apiKey: 'sk_user_north1234' }),
    await set(store, { receiptPaymentForm: '99' }),
    await set(store, { series: 'F|G' }),
    await set({ ...store, caller: wholesaler() }),
    await set(store, {}, ops('approver')),
  ];
  expect(answers.map(({ status, body }) => [status, body.errorCode ?? body.message[0]])).toEqual([
    [400, 'apiKey must be a test key: sk_test_…'],
    [400, 'apiKey must be a secret key of Facturapi: sk_test_… or sk_live_…'],
    [400, expect.stringMatching(/^receiptPaymentForm /)],
    [400, 'series must be 1 to 25 letters and digits'],
    [404, 'WHOLESALER_NOT_FOUND'],
    [403, 'FORBIDDEN'],
  ]);
});

it('the key of the settings issues for wholesalers without an issuer, and the list shows whose', async () => {
  const shared = await startTransactions(facturapi.config);
  const [own, without] = [await shared.createCornerStore(), await shared.createCornerStore()];
  const body = ISSUER;
  await shared.call(ops(), 'PUT', pathOf(own.caller.id), { body });
  const list = async (query = '') =>
    (await shared.call(ops('viewer'), 'GET', `/v1/admin/invoice-issuers${query}`)).body;
  const { invoiceIssuers } = await list();
  const issuerOf = ({ caller }: CornerStore) =>
    invoiceIssuers.find(({ wholesalerId }: { wholesalerId: string }) => wholesalerId === caller.id);
  expect([issuerOf(own), issuerOf(without)]).toEqual([
    { wholesalerId: own.caller.id, wholesaler: own.caller.name, issuer: 'own' },
    { wholesalerId: without.caller.id, wholesaler: without.caller.name, issuer: 'shared' },
  ]);
  const first = await list('?limit=1');
  const second = await list(`?limit=1&cursor=${first.nextCursor}`);
  expect([...first.invoiceIssuers, ...second.invoiceIssuers]).toEqual(invoiceIssuers);
  await shared.stop();
});
