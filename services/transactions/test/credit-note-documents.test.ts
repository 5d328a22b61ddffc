import { until } from '@fiado/chassis/testing/until';
import { issueDueInvoices } from '../src/invoices/issue-invoice';
import { issueDueDocuments } from '../src/tax-documents/issue-tax-documents';
import { brokenInvariants } from './support/invariants';
import { orderOnHold } from './support/orders';
import { type Invoicing, startInvoicing } from './support/stamped-invoices';
import { closeAndPay, deliveredOrder } from './support/statements';
import type { CornerStore } from './support/transactions';

let invoicing: Invoicing;
let facturapi: Invoicing['facturapi'];
let transactions: Invoicing['transactions'];
let store: CornerStore;
beforeAll(async () => {
  invoicing = await startInvoicing();
  ({ facturapi, transactions } = invoicing);
});
afterAll(() => invoicing.stop());
beforeEach(async () => {
  facturapi.reset();
  store = await invoicing.createStore();
  invoicing.giveProfile(store);
});

const call = (id: string, method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  invoicing.call({ store, id }, method, path, body);

const credit = async (id: string, amount: number) =>
  expect((await call(id, 'POST', '/credit-notes', { amount, reason: 'return' })).status).toBe(201);

const ofType = (type: string) =>
  [...facturapi.invoices.stamped.values()].filter(({ sent }) => sent.type === type);

const TAXES = [
  { type: 'IEPS', rate: 0.08 },
  { type: 'IEPS', rate: 3.08, factor: 'Cuota' },
  { type: 'IVA', rate: 0.16 },
];

it('an invoice of more than was delivered, and then of more than is left, gets a credit note each time, to the cent', async () => {
  const { transactionId: id } = await orderOnHold(transactions, store, { totalAmount: 500 });
  const uuid = await invoicing.invoiceWhole(store, id, { amount: 500, taxes: TAXES });
  await call(id, 'PUT', '', { status: 'delivery', transactionAmount: 433.33 });
  await invoicing.settleAll();
  await credit(id, 100.01);
  await invoicing.settleAll();

  expect(ofType('I')).toMatchObject([{ status: 'valid', total: 500 }]);
  expect(ofType('E')).toMatchObject(
    [66.67, 100.01].map((total) => ({
      status: 'valid',
      total,
      sent: {
        use: 'G02',
        payment_form: '17',
        customer: { tax_id: 'LULU800101AB1' },
        related_documents: [{ relationship: '01', documents: [uuid] }],
        items: [{ product: { taxes: TAXES } }],
      },
    })),
  );
  const { body } = await call(id, 'GET', '/invoice');
  expect(body).toMatchObject({ status: 'issued', cancellation: 'none', total: 500, uuid });
  expect((await call(id, 'GET', '/credit-notes')).body.creditNotes).toMatchObject([
    { invoiceAction: null },
  ]);
  const { documents } = (await call(id, 'GET', '/invoice/documents')).body;
  const [note] = ofType('E');
  expect(documents).toMatchObject([
    { kind: 'credit-note', total: 66.67, status: 'issued', uuid: note?.uuid, transactionIds: [id] },
    { total: 100.01 },
  ]);
  const xml = await call(id, 'GET', `/invoice/file?kind=credit-note&uuid=${note?.uuid}`);
  expect(xml.text).toContain(note?.uuid.toUpperCase());
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('a credit note lowers the complement of the statement that it is in, and none of a statement before', async () => {
  const id = await deliveredOrder(transactions, store, 500);
  await invoicing.invoiceWhole(store, id, { amount: 500 });
  await credit(id, 120);
  await closeAndPay(transactions, store);
  await invoicing.settleAll();
  await deliveredOrder(transactions, store, 700);
  await credit(id, 380);
  await closeAndPay(transactions, store);
  await invoicing.settleAll();

  // What came back after it was sold is credited, and its invoice is not cancelled.
  expect(ofType('I')).toMatchObject([{ status: 'valid' }]);
  expect(ofType('E').map(({ total }) => total)).toEqual([120, 380]);
  const paid = ofType('P').map(({ sent }) =>
    (sent.complements?.[0]?.data ?? [])
      .flatMap((payment) => payment.related_documents)
      .reduce((sum, { amount }) => sum + Math.round(100 * amount), 0),
  );
  expect(paid).toEqual([38_000]);
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('credit notes end with their invoice, which is cancelled by hand', async () => {
  const id = await deliveredOrder(transactions, store, 500);
  await invoicing.invoiceWhole(store, id, { amount: 500 });
  await credit(id, 100);
  await invoicing.settleAll();
  await call(id, 'POST', '/invoice/cancel', { motive: '02' });
  await invoicing.settleAll();
  const documents = [...facturapi.invoices.stamped.values()];
  expect(documents.map(({ sent, status }) => [sent.type, status])).toEqual([
    ['I', 'canceled'],
    ['E', 'canceled'],
  ]);
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('a credit note is stamped once although its answer was lost, and not at all with another total', async () => {
  const id = await deliveredOrder(transactions, store, 500);
  await invoicing.invoiceWhole(store, id, { amount: 500 });
  facturapi.answers.push({ status: 500, afterwards: true });
  await credit(id, 100);
  await invoicing.settleAll();
  expect(ofType('E')).toHaveLength(1);
  await credit(id, 50);
  facturapi.answers.push({
    status: 200,
    afterwards: true,
    body: { id: 'inv_3', status: 'valid', uuid: 'a', total: 50.01 },
  });
  const rows = () =>
    transactions.rows<{ status: string; last_error: string }>(
      `SELECT status, last_error FROM tax_documents WHERE transaction_id = $1 ORDER BY created_at DESC LIMIT 1`,
      [id],
    );
  await until('it was tried', async () => {
    await issueDueInvoices(transactions.context);
    await issueDueDocuments(transactions.context);
    return (await rows())[0]?.last_error?.includes('and not 50') === true;
  });
  expect((await rows())[0]?.status).toBe('pending');
  expect(ofType('E').map(({ status }) => status)).toEqual(['valid', 'canceled']);
});
