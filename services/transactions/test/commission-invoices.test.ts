import { ops, staffMember } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { brokenInvariants } from './support/invariants';
import { type Invoicing, startInvoicing } from './support/stamped-invoices';
import { clawBack, closeNow, decideChange, deliveredOrder, pay } from './support/statements';
import type { CornerStore } from './support/transactions';

let invoicing: Invoicing;
let facturapi: Invoicing['facturapi'];
let transactions: Invoicing['transactions'];
beforeAll(async () => {
  invoicing = await startInvoicing({ FACTURAPI_KEY: 'sk_test_1' });
  ({ facturapi, transactions } = invoicing);
});
afterAll(() => invoicing.stop());
beforeEach(() => facturapi.reset());

const PROFILE = {
  rfc: 'ANO010101AB1',
  legalName: 'ABARROTES DEL NORTE',
  taxRegime: '601',
  postalCode: '64000',
  cfdiUse: 'G03',
};

const profile = (
  { caller }: CornerStore,
  method: 'GET' | 'PUT' | 'DELETE',
  body?: object,
  by = ops(),
) => {
  const path = `/v1/admin/wholesalers/${caller.id}/tax-profile`;
  return transactions.call(by, method, path, body && { body });
};

async function close(store: CornerStore): Promise<{ statementId: string }> {
  await deliveredOrder(transactions, store, 333.33);
  return (await closeNow(transactions, store)).body.statements[0];
}

const fileOf = ({ caller }: CornerStore, statementId: string, format = 'xml') =>
  transactions.call(
    caller,
    'GET',
    `/v1/statements/${statementId}/commission-invoice/file?format=${format}`,
  );

it('a statement that closes has an invoice of the lender, of its commission and IVA to the cent', async () => {
  const store = await transactions.createCornerStore();
  const { statementId: before } = await close(store);
  expect((await profile(store, 'PUT', PROFILE)).status).toBe(200);
  const { statementId } = await close(store);
  await until('it is stamped', () => facturapi.invoices.stamped.size > 0);
  await until('its file is there', async () => (await fileOf(store, statementId)).status === 200);

  const [stamped, ...others] = facturapi.invoices.stamped.values();
  expect(others).toEqual([]);
  // 6.67 and 1.07 of IVA.
  expect(stamped).toMatchObject({
    owner: 'sk_test_1',
    total: 7.74,
    sent: {
      type: 'I',
      payment_method: 'PUE',
      payment_form: '17',
      use: 'G03',
      external_id: statementId,
      customer: { tax_id: 'ANO010101AB1', legal_name: 'ABARROTES DEL NORTE' },
      items: [{ product: { taxes: [{ type: 'IVA', rate: 0.16 }] } }],
    },
  });
  expect((await fileOf(store, statementId)).text).toContain(stamped?.uuid.toUpperCase());
  expect((await fileOf(store, statementId, 'pdf')).text).toBe(`%PDF ${stamped?.uuid}`);
  expect((await fileOf(store, before)).body.errorCode).toBe('INVOICE_FILE_NOT_FOUND');
  const other = await transactions.createCornerStore();
  expect((await fileOf(other, statementId)).body.errorCode).toBe('STATEMENT_NOT_FOUND');
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('a statement that takes more commission back than it has gets a credit note of the lender, to the cent', async () => {
  const store = await transactions.createCornerStore();
  const without = await deliveredOrder(transactions, store, 100);
  const { statementId: before } = (await closeNow(transactions, store)).body.statements[0];
  await pay(transactions, before);
  await profile(store, 'PUT', PROFILE);
  const transactionId = await deliveredOrder(transactions, store, 333.33);
  const { statementId: sold } = (await closeNow(transactions, store)).body.statements[0];
  await pay(transactions, sold);
  await invoicing.settleAll();

  await clawBack(transactions, store, transactionId, 200);
  const [{ statementId, netAmount }] = (await closeNow(transactions, store)).body.statements;
  await invoicing.settleAll();
  const [invoice, note] = facturapi.invoices.stamped.values();
  // 4.00 and 0.64 of IVA.
  expect([netAmount, note]).toMatchObject([
    -195.36,
    {
      owner: 'sk_test_1',
      total: 4.64,
      sent: {
        type: 'E',
        use: 'G02',
        payment_method: 'PUE',
        related_documents: [{ relationship: '01', documents: [invoice?.uuid] }],
      },
    },
  ]);
  expect((await fileOf(store, statementId)).text).toContain(note?.uuid.toUpperCase());
  const statement = `/v1/admin/statements/${statementId}`;
  const { body } = await transactions.call(ops('viewer'), 'GET', statement);
  expect(body.commissionInvoice).toBe('issued');
  const file = await transactions.call(
    ops('viewer'),
    'GET',
    `${statement}/commission-invoice/file`,
  );
  expect(file.text).toContain(note?.uuid.toUpperCase());

  // What was never invoiced has no credit note.
  await clawBack(transactions, store, without, 50);
  const [{ statementId: last }] = (await closeNow(transactions, store)).body.statements;
  const shown = await transactions.call(ops('viewer'), 'GET', `/v1/admin/statements/${last}`);
  expect(shown.body.commissionInvoice).toBeNull();
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('a tax profile of a wholesaler waits for a second person, and is refused as the tax authority would', async () => {
  const store = await transactions.createCornerStore();
  const ana = staffMember('admin', new Date());
  const asked = await profile(store, 'PUT', PROFILE, ana);
  expect(asked.status).toBe(202);
  expect((await profile(store, 'GET')).body.errorCode).toBe('TAX_PROFILE_NOT_FOUND');
  await decideChange(transactions, asked.body.changeRequestId);
  expect((await profile(store, 'GET')).body).toMatchObject({ ...PROFILE, email: null });

  const refused = await profile(store, 'PUT', { ...PROFILE, taxRegime: '605', legalName: 'Norte' });
  expect([refused.status, refused.body.message]).toEqual([
    400,
    [
      expect.stringMatching(/^legalName/),
      expect.stringMatching(/^taxRegime/),
      expect.stringMatching(/^cfdiUse/),
    ],
  ]);
  expect((await profile(store, 'DELETE')).status).toBe(204);
  expect((await profile(store, 'DELETE')).status).toBe(404);
});
