import { createHash } from 'node:crypto';
import { createRetention } from '@fiado/chassis/db/retention';
import { until } from '@fiado/chassis/testing/until';
import { issueDueInvoices } from '../src/invoices/issue-invoice';
import { transactionsService } from '../src/service';
import { INVOICE } from './support/facturapi';
import { orderOnHold } from './support/orders';
import { type Invoiced, type Invoicing, startInvoicing } from './support/stamped-invoices';

let invoicing: Invoicing;
let facturapi: Invoicing['facturapi'];
let transactions: Invoicing['transactions'];
beforeAll(async () => {
  invoicing = await startInvoicing();
  ({ facturapi, transactions } = invoicing);
});
afterAll(() => invoicing.stop());
beforeEach(() => facturapi.reset());

it('is in the name of a store with a tax profile, paid later, and stored sealed', async () => {
  const store = await invoicing.createStore({ series: 'F' });
  invoicing.giveProfile(store, { email: 'lupita@tienda.example' });
  const order = await invoicing.invoice(store);
  const [[id, stamped] = []] = facturapi.invoices.stamped;
  expect(await invoicing.read(order)).toMatchObject({
    kind: 'invoice',
    status: 'issued',
    total: 110,
    providerInvoiceId: id,
    uuid: stamped?.uuid,
    selfInvoiceUrl: null,
  });
  expect([stamped?.total, stamped?.sent]).toMatchObject([
    110,
    {
      type: 'I',
      series: 'F',
      payment_method: 'PPD',
      payment_form: '99',
      use: 'G01',
      customer: {
        tax_id: 'LULU800101AB1',
        legal_name: 'GUADALUPE LUNA LUNA',
        tax_system: '626',
        address: { zip: '06000' },
        email: 'lupita@tienda.example',
      },
      external_id: order.id,
    },
  ]);
  const [row] = await transactions.rows<{ text: string }>(
    `SELECT invoices::text AS text FROM invoices WHERE transaction_id = $1`,
    [order.id],
  );
  expect(row?.text).not.toMatch(/LULU|lupita/i);
});

const file = ({ store, id }: Invoiced, format: string) =>
  transactions.call(store.caller, 'GET', `/v1/transaction/${id}/invoice/file?format=${format}`);

it('has its XML stored sealed, with its hash, and served without its provider', async () => {
  const store = await invoicing.createStore();
  invoicing.giveProfile(store);
  // The XML is not there at first: no answer says that it is issued.
  facturapi.answers.push({
    status: 200,
    afterwards: true,
    body: { id: 'inv_1', status: 'pending' },
  });
  const { transactionId: id } = await orderOnHold(transactions, store);
  const order = { store, id };
  await invoicing.call(order, 'POST', '/invoice', { invoice: INVOICE });
  await until(
    'it is stamped',
    async () => (await invoicing.read(order)).providerInvoiceId !== null,
  );
  const [stamped] = facturapi.invoices.stamped.values();
  facturapi.answers.push(
    { status: 200, body: { id: 'inv_1', ...stamped, type: 'I' } },
    { status: 500 },
  );
  await invoicing.tryAgain(order);
  expect(await invoicing.read(order)).toMatchObject({
    status: 'pending',
    uuid: stamped?.uuid,
    lastError: 'Facturapi failed (500)',
  });
  expect((await file(order, 'xml')).body.errorCode).toBe('INVOICE_FILE_NOT_FOUND');
  await invoicing.tryAgain(order);
  expect(await invoicing.read(order)).toMatchObject({ status: 'issued', lastError: null });

  const pdf = await file(order, 'pdf');
  expect([pdf.status, pdf.text]).toEqual([200, `%PDF ${stamped?.uuid}`]);
  const { length: calls } = facturapi.calls;
  const xml = await file(order, 'xml');
  expect(xml.headers.get('content-disposition')).toBe(
    `attachment; filename="${stamped?.uuid}.xml"`,
  );
  expect(xml.text).toContain(`UUID="${stamped?.uuid.toUpperCase()}"`);
  expect(facturapi.calls).toHaveLength(calls);
  const [row] = await transactions.rows<{ sha256: Buffer; text: string }>(
    `SELECT sha256, encode(xml_sealed, 'escape') AS text FROM invoice_files WHERE transaction_id = $1`,
    [id],
  );
  expect(row?.sha256).toEqual(createHash('sha256').update(xml.text).digest());
  expect(row?.text).not.toContain('cfdi');

  facturapi.answers.push({ status: 500 });
  expect((await file(order, 'pdf')).status).toBe(503);
  expect((await file(order, 'doc')).status).toBe(400);
  expect((await file({ store: await invoicing.createStore(), id }, 'xml')).status).toBe(404);
});

it('is a receipt without a profile, where the wholesaler wants one, and under the key of the settings', async () => {
  const without = await invoicing.createStore();
  expect(await invoicing.read(await invoicing.invoice(without))).toMatchObject({
    kind: 'receipt',
    uuid: null,
  });
  const withOne = await invoicing.createStore();
  invoicing.giveProfile(withOne);
  const open = await invoicing.invoice(withOne, { receiver: 'public' });
  expect(await invoicing.read(open)).toMatchObject({ kind: 'receipt', status: 'issued' });
  expect(facturapi.calls.map(({ route, body }) => [route, body['payment_form']])).toEqual([
    ['POST /v2/receipts', '01'],
    ['POST /v2/receipts', '01'],
  ]);

  const refused = await invoicing.invoice(without, { receiver: 'profile' });
  expect(await invoicing.read(refused)).toMatchObject({
    status: 'failed',
    failureReason: expect.stringMatching(/no tax profile/),
  });
  const created = await invoicing.call(refused, 'POST', '/invoice', {
    invoice: { ...INVOICE, receiver: 'nobody' },
  });
  expect(created.status).toBe(400);
});

it('waits for accounts, and is the same at each attempt, whatever becomes of the profile', async () => {
  const store = await invoicing.createStore();
  invoicing.giveProfile(store);
  transactions.accounts.up = false;
  const order = await invoicing.invoice(store);
  expect(await invoicing.read(order)).toMatchObject({
    kind: null,
    status: 'pending',
    lastError: expect.stringMatching(/tax profile .* not known/),
  });
  expect(facturapi.calls).toEqual([]);
  transactions.accounts.up = true;

  // It is stamped, and the answer is lost.
  facturapi.answers.push({ status: 500, afterwards: true });
  await invoicing.tryAgain(order);
  expect((await invoicing.read(order)).kind).toBe('invoice');
  invoicing.giveProfile(store, { cfdiUse: 'G03' });
  await invoicing.tryAgain(order);
  expect(await invoicing.read(order)).toMatchObject({ status: 'issued', kind: 'invoice' });
  expect(facturapi.calls[1]).toEqual(facturapi.calls[0]);
  expect(facturapi.invoices.stamped.size).toBe(1);
});

it('fails with the reason of the tax authority, and is created anew with another profile', async () => {
  const store = await invoicing.createStore();
  invoicing.giveProfile(store, { legalName: 'LUPITA LUNA' });
  const order = await invoicing.invoice(store);
  expect(await invoicing.read(order)).toMatchObject({
    status: 'failed',
    failureReason: 'legal_name_mismatch',
  });
  invoicing.giveProfile(store);
  await invoicing.call(order, 'POST', '/invoice', { invoice: INVOICE });
  await until('it is issued', async () => (await invoicing.read(order)).status === 'issued');
});

it('is cancelled with its order, once its receiver has agreed', async () => {
  const store = await invoicing.createStore();
  invoicing.giveProfile(store);
  const order = await invoicing.invoice(store);
  facturapi.invoices.cancellation = 'pending';
  await invoicing.call(order, 'POST', '/cancel');
  await until('its receiver is asked', async () => {
    await issueDueInvoices(transactions.context);
    return (await invoicing.read(order)).lastError !== null;
  });
  expect(await invoicing.read(order)).toMatchObject({
    cancellation: 'requested',
    lastError: 'The cancellation is pending',
  });
  const [stamped] = facturapi.invoices.stamped.values();
  expect(stamped?.motive).toBe('03');
  await invoicing.tryAgain(order);
  expect((await invoicing.read(order)).cancellation).toBe('requested');
  Object.assign(stamped ?? {}, { status: 'canceled', cancellation_status: 'accepted' });
  await invoicing.tryAgain(order);
  expect(await invoicing.read(order)).toMatchObject({ cancellation: 'accepted', lastError: null });
});

it('its XML is kept for five years', async () => {
  const store = await invoicing.createStore();
  invoicing.giveProfile(store);
  const order = await invoicing.invoice(store);
  const { db, log } = transactions.context;
  const sweep = async (days: number, isDone: () => Promise<boolean>) => {
    await transactions.rows(
      `UPDATE invoice_files SET stored_at = now() - make_interval(days => $2) WHERE transaction_id = $1`,
      [order.id, days],
    );
    const retention = createRetention(db, log, transactionsService.growingTables);
    retention.start();
    await until('it was swept', isDone);
    await retention.stop();
  };
  await sweep(5 * 365, async () => true);
  expect((await file(order, 'xml')).status).toBe(200);
  await sweep(5 * 366 + 1, async () => (await file(order, 'xml')).status === 404);
});
