import { randomUUID } from 'node:crypto';
import type { Transaction } from '@fiado/chassis/db/database';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import { waitingForLocks } from '@fiado/chassis/testing/behind-lock';
import { ops, wholesaler } from '@fiado/chassis/testing/callers';
import { eventsOf, switchEvents } from '@fiado/chassis/testing/events';
import { until } from '@fiado/chassis/testing/until';
import { InvoiceRow } from '../src/invoices/invoice.entity';
import { transactionsService } from '../src/service';
import { lockPayable, payStatement } from '../src/statements/pay-statement';
import { countMissingComplements } from '../src/tax-documents/missing-complements';
import { issueDueDocuments } from '../src/tax-documents/issue-tax-documents';
import { INVOICE } from './support/facturapi';
import { brokenInvariants } from './support/invariants';
import { type Invoicing, startInvoicing } from './support/stamped-invoices';
import {
  changeApproved,
  clawBack,
  closeNow,
  deliveredOrder,
  pay,
  today,
} from './support/statements';
import type { CornerStore } from './support/transactions';

let invoicing: Invoicing;
let facturapi: Invoicing['facturapi'];
let transactions: Invoicing['transactions'];
beforeAll(async () => {
  invoicing = await startInvoicing();
  ({ facturapi, transactions } = invoicing);
});
afterAll(() => invoicing.stop());
beforeEach(() => facturapi.reset());

const MARIO = {
  rfc: 'MAGO750615QX3',
  legalName: 'MARIO GOMEZ ORTIZ',
  taxRegime: '612',
  postalCode: '64000',
};

/** A store with a tax profile, of a wholesaler with an issuer. */
async function createStore(like?: CornerStore, profile: object = {}): Promise<CornerStore> {
  const caller = like?.caller ?? wholesaler();
  const customers = [{ wholesalerId: caller.id, externalId: randomUUID() }];
  const store = await transactions.createCornerStore({ caller, store: { customers } });
  invoicing.giveProfile(store, profile);
  if (!like) expect((await invoicing.setIssuer(store)).status).toBe(200);
  return store;
}

/** A delivered order that is invoiced whole. @returns its id, and the uuid of its invoice */
async function sell(store: CornerStore, amount: number, taxes?: object[]) {
  const transactionId = await deliveredOrder(transactions, store, amount);
  const options = { amount, ...(taxes && { taxes }) };
  return { transactionId, uuid: await invoicing.invoiceWhole(store, transactionId, options) };
}

async function close(store: CornerStore): Promise<{ statementId: string; amountDue: number }> {
  return (await closeNow(transactions, store)).body.statements[0];
}

/** When new documents are first tried: the service's own loop must not try one before the test goes on. */
const documentsAreDueIn = (interval: string) =>
  asOwner(transactions.ownerUrl, (owner) =>
    owner.query(
      `ALTER TABLE transactions.tax_documents
         ALTER next_attempt_at SET DEFAULT now() + interval '${interval}'`,
    ),
  );

const sendBack = (statementId: string) =>
  changeApproved(transactions, `/v1/admin/statements/${statementId}/mark-returned`, {
    reason: 'CLABE',
  });

const complements = () =>
  [...facturapi.invoices.stamped.values()].filter(({ sent }) => sent.type === 'P');

/** What complements pay, in cents, by form and then by document. */
function paidCents(): Record<string, Record<string, number>> {
  const sums: Record<string, Record<string, number>> = {};
  const payments = complements()
    .filter(({ status }) => status === 'valid')
    .flatMap(({ sent }) => sent.complements?.[0]?.data ?? []);
  for (const { payment_form: form, related_documents: documents } of payments) {
    const ofForm = (sums[form] ??= {});
    for (const { uuid, amount } of documents) {
      ofForm[uuid] = (ofForm[uuid] ?? 0) + Math.round(100 * amount);
    }
  }
  return sums;
}

const sum = (cents: Record<string, number> = {}) =>
  Object.values(cents).reduce((all, one) => all + one, 0);

it('a paid statement has a complement for each receiver, of what was transferred and what was netted, to the cent', async () => {
  const store = await createStore();
  const beside = await createStore(store, MARIO);
  const ieps = [
    { type: 'IEPS', rate: 0.08 },
    { type: 'IEPS', rate: 3.08, factor: 'Cuota' },
    { type: 'IVA', rate: 0.16 },
  ];
  const one = await sell(store, 333.33);
  const two = await sell(store, 466.66, ieps);
  const other = await sell(beside, 200.02, [{ type: 'IVA', rate: 0, factor: 'Exento' }]);
  const { statementId, amountDue } = await close(store);
  await switchEvents(transactions, store.caller.id);
  const bankReference = await pay(transactions, statementId);
  await invoicing.settleAll();

  expect(amountDue).toBe(976.81);
  const cents = paidCents();
  expect([sum(cents['03']), sum(cents['17'])]).toEqual([97_681, 2_320]);
  for (const [{ uuid }, gross] of [
    [one, 33_333],
    [two, 46_666],
    [other, 20_002],
  ] as const) {
    expect((cents['03']?.[uuid] ?? 0) + (cents['17']?.[uuid] ?? 0)).toBe(gross);
  }
  const shown = complements().map(({ sent }) => [
    sent.customer?.['tax_id'],
    (sent.complements?.[0]?.data ?? []).map((payment) => ({
      ...payment,
      related_documents: Object.fromEntries(
        payment.related_documents.map(({ uuid, installment }) => [uuid, installment]),
      ),
    })),
  ]);
  const payments = (uuids: string[]) => [
    {
      payment_form: '03',
      numOperacion: bankReference,
      related_documents: Object.fromEntries(uuids.map((uuid) => [uuid, 1])),
    },
    { payment_form: '17', related_documents: Object.fromEntries(uuids.map((uuid) => [uuid, 2])) },
  ];
  expect(Object.fromEntries(shown)).toMatchObject({
    LULU800101AB1: payments([one.uuid, two.uuid]),
    MAGO750615QX3: payments([other.uuid]),
  });
  expect(shown).toHaveLength(2);
  expect(await brokenInvariants(transactions)).toEqual([]);

  const complement = complements().find(
    ({ sent }) => sent.customer?.['tax_id'] === 'LULU800101AB1',
  );
  for (const { transactionId } of [one, two]) {
    const path = `/v1/transaction/${transactionId}/invoice/file?kind=payment&uuid=${complement?.uuid}`;
    const xml = await transactions.call(store.caller, 'GET', path);
    expect(xml.text).toContain(complement?.uuid.toUpperCase());
    const pdf = await transactions.call(store.caller, 'GET', `${path}&format=pdf`);
    expect(pdf.text).toBe(`%PDF ${complement?.uuid}`);
  }
  const documentsOf = async ({ transactionId }: { transactionId: string }) => {
    const path = `/v1/transaction/${transactionId}/invoice/documents`;
    return (await transactions.call(store.caller, 'GET', path)).body.documents;
  };
  const [document] = await documentsOf(two);
  expect(await documentsOf(one)).toEqual([document]);
  expect(document).toMatchObject({
    kind: 'payment',
    status: 'issued',
    uuid: complement?.uuid,
    statementId,
    total: 799.99,
    transactionIds: expect.arrayContaining([one.transactionId, two.transactionId]),
  });
  const presenters = transactionsService.events?.(transactions.context.config);
  const published = (await eventsOf(transactions, presenters, store.caller.id)).filter(
    ({ type }) => type === 'invoice.payment-complement-issued',
  );
  expect(published).toHaveLength(2);
  expect(published).toContainEqual({
    type: 'invoice.payment-complement-issued',
    data: { ...document, version: expect.any(Number) },
  });

  const another = `/v1/transaction/${other.transactionId}/invoice/file?kind=payment`;
  for (const [query, status] of [
    ['', 400],
    [`&uuid=${complement?.uuid}`, 404],
  ]) {
    expect((await transactions.call(beside.caller, 'GET', `${another}${query}`)).status).toBe(
      status,
    );
  }
});

it('two stores of one taxpayer have a complement each', async () => {
  const store = await createStore();
  const [one, other] = [await sell(store, 300), await sell(await createStore(store), 200)];
  await pay(transactions, (await close(store)).statementId);
  await invoicing.settleAll();
  const settled = complements().map(({ sent }) => [
    sent.customer?.['tax_id'],
    sent.complements?.[0]?.data[0]?.related_documents.map(({ uuid }) => uuid),
  ]);
  expect(settled).toHaveLength(2);
  expect(settled).toEqual(
    expect.arrayContaining([one, other].map(({ uuid }) => ['LULU800101AB1', [uuid]])),
  );
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it.each(['payment', 'invoice'] as const)(
  'an invoice that is issued while its statement is paid has one complement, when the %s is first',
  async (first) => {
    const { db } = transactions.context;
    const store = await createStore();
    const id = await deliveredOrder(transactions, store, 500);
    const { statementId } = await close(store);
    const order = { store, id };
    facturapi.answers.push({ status: 401 });
    await invoicing.call(order, 'POST', '/invoice', { invoice: INVOICE });
    await until('it was tried', async () => (await invoicing.read(order)).lastError !== null);
    const set = (tx: Pick<Transaction, 'manager'>, status: 'issued' | 'pending') =>
      tx.manager.update(InvoiceRow, { transactionId: id }, { status });
    const works = {
      payment: async (tx: Transaction) => {
        const payment = { bankReference: `SPEI-${id}`.slice(0, 30), paidOn: today() };
        const by = { requestedBy: 'ana', approvedBy: 'bruno' };
        await payStatement(tx, await lockPayable(tx, statementId), payment, by);
      },
      invoice: async (tx: Transaction) => void (await set(tx, 'issued')),
    };
    const second = works[first === 'payment' ? 'invoice' : 'payment'];
    // The second begins in the middle of the first, which ends once the second waits or is over.
    let isOver = false;
    const [running] = await db.transaction(async (tx) => {
      await works[first](tx);
      const begun = db.transaction(second).finally(() => {
        isOver = true;
      });
      await until('it waits', async () => isOver || (await waitingForLocks(transactions)) > 0);
      return [begun];
    });
    await running;

    const written = await transactions.rows(
      'SELECT id FROM tax_documents WHERE statement_id = $1',
      [statementId],
    );
    expect(written).toHaveLength(1);
    await set(db, 'pending');
    await invoicing.tryAgain(order);
    await invoicing.settleAll();
    const cents = paidCents();
    expect(sum(cents['03']) + sum(cents['17'])).toBe(11_000);
    expect(await brokenInvariants(transactions)).toEqual([]);
  },
);

it('a statement with nothing due is netted whole, and an invoice that is issued afterwards gets its complement', async () => {
  const store = await createStore();
  const before = await deliveredOrder(transactions, store, 500);
  await pay(transactions, (await close(store)).statementId);
  await clawBack(transactions, store, before, 400);
  const { uuid } = await sell(store, 300);
  const late = await deliveredOrder(transactions, store, 100);
  expect((await close(store)).amountDue).toBe(0);
  await invoicing.settleAll();
  expect(paidCents()).toEqual({ '17': { [uuid]: 30_000 } });

  const lateUuid = await invoicing.invoiceWhole(store, late, { amount: 80 });
  const paidUuid = await invoicing.invoiceWhole(store, before, { amount: 500 });
  await invoicing.settleAll();
  const cents = paidCents();
  // The invoice bills less than was delivered.
  expect(cents['17']?.[lateUuid]).toBe(8_000);
  expect([cents['03']?.[paidUuid], cents['17']?.[paidUuid]]).toEqual([48_840, 1_160]);
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('a returned payment cancels the complement, and the next payment makes another', async () => {
  const store = await createStore();
  const { uuid } = await sell(store, 500);
  const { statementId } = await close(store);
  await pay(transactions, statementId);
  await invoicing.settleAll();
  await sendBack(statementId);
  await invoicing.settleAll();
  expect(complements()).toMatchObject([{ status: 'canceled', motive: '02' }]);
  expect(await brokenInvariants(transactions)).toEqual([]);

  // Paid and returned again before it is issued: the provider hears of neither.
  await documentsAreDueIn('1 hour');
  await pay(transactions, statementId);
  await sendBack(statementId);
  await documentsAreDueIn('0');
  await invoicing.settleAll();
  const bankReference = await pay(transactions, statementId);
  await invoicing.settleAll();
  expect(complements()).toMatchObject([
    { status: 'canceled' },
    { status: 'valid', sent: { complements: [{ data: [{ numOperacion: bankReference }, {}] }] } },
  ]);
  expect(paidCents()).toEqual({ '03': { [uuid]: 48_840 }, '17': { [uuid]: 1_160 } });
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('a complement is issued once, although answers are lost, it waits at its provider and its process is killed', async () => {
  const store = await createStore();
  await sell(store, 500);
  const { statementId } = await close(store);
  const rows = () =>
    transactions.rows<{ status: string; last_error: string | null }>(
      'SELECT status, last_error FROM tax_documents WHERE statement_id = $1',
      [statementId],
    );
  const step = async () => {
    await transactions.rows('UPDATE tax_documents SET next_attempt_at = now()');
    await issueDueDocuments(transactions.context);
  };
  // Claimed, and killed before it is sent; sent, and the answer lost; known, and no XML yet.
  facturapi.answers.push({ status: 500, afterwards: true });
  await pay(transactions, statementId);
  await until('an answer was lost', async () => {
    await step();
    return (await rows())[0]?.last_error === 'Facturapi failed (500)';
  });
  facturapi.answers.push({
    status: 200,
    afterwards: true,
    body: { id: 'inv_2', status: 'pending' },
  });
  await step();
  facturapi.answers.push({ status: 400, body: { message: 'legal_name_mismatch' } });
  await invoicing.settleAll();
  expect(await rows()).toEqual([{ status: 'issued', last_error: null }]);
  expect(complements()).toHaveLength(1);
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('an invoice in another name has a complement of its own, although the process was killed before it asked for one', async () => {
  const store = await createStore();
  const one = await sell(store, 300);
  invoicing.giveProfile(store, MARIO);
  const other = await sell(store, 200);
  const { statementId } = await close(store);
  const issuer = `/v1/admin/wholesalers/${store.caller.id}/invoice-issuer`;
  expect((await transactions.call(ops(), 'DELETE', issuer)).status).toBe(200);
  await pay(transactions, statementId);
  await until('it was tried without an issuer', async () => {
    await issueDueDocuments(transactions.context);
    const rows = await transactions.rows(
      'SELECT id FROM tax_documents WHERE statement_id = $1 AND last_error IS NOT NULL',
      [statementId],
    );
    return rows.length > 0;
  });
  // As the claim of a process leaves it that was killed.
  await transactions.rows('UPDATE tax_documents SET may_exist = true WHERE statement_id = $1', [
    statementId,
  ]);
  expect((await invoicing.setIssuer(store)).status).toBe(200);
  await invoicing.settleAll();
  const invoicesOf = complements().map(({ sent }) => [
    sent.customer?.['tax_id'],
    sent.complements?.[0]?.data[0]?.related_documents.map(({ uuid }) => uuid),
  ]);
  expect(Object.fromEntries(invoicesOf)).toEqual({
    LULU800101AB1: [one.uuid],
    MAGO750615QX3: [other.uuid],
  });
  expect(await brokenInvariants(transactions)).toEqual([]);
});

it('a complement of a month that is over counts as missing from the third day on', async () => {
  const store = await createStore();
  await sell(store, 500);
  const { statementId } = await close(store);
  facturapi.answers.push({ status: 400, body: { message: 'legal_name_mismatch' } });
  await pay(transactions, statementId);
  const missing = () => countMissingComplements(transactions.context);
  expect(await missing()).toBe(0);
  await transactions.rows(
    `UPDATE tax_documents SET status = 'pending', issued_at = NULL, payment_number = NULL, next_attempt_at = now() + interval '1 day'
      WHERE statement_id = $1`,
    [statementId],
  );
  await transactions.rows(
    `INSERT INTO statement_payments (statement_id, number, bank_reference, bank_reference_key, paid_on, cents, paid_by, returned_at, return_reason)
     VALUES ($1, 9, 'OLD', 'OLD', now() - interval '40 days', 1, 'ana', now(), 'CLABE')`,
    [statementId],
  );
  await transactions.rows('UPDATE tax_documents SET payment_number = 9 WHERE statement_id = $1', [
    statementId,
  ]);
  expect(await missing()).toBe(1);
  const path = `/v1/admin/statements/${statementId}`;
  const { body } = await transactions.call(ops('viewer'), 'GET', path);
  expect(body.pendingComplements).toBe(1);
});
