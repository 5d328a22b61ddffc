import { randomUUID } from 'node:crypto';
import { ops } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { issueDueInvoices } from '../src/invoices/issue-invoice';
import { INVOICE } from './support/facturapi';
import type { StampedInvoice } from './support/facturapi-invoices';
import { brokenInvariants } from './support/invariants';
import { orderOnHold } from './support/orders';
import { type Invoiced, startInvoicing } from './support/stamped-invoices';

const invoicing = forAllTests(startInvoicing);
beforeEach(() => invoicing.facturapi.reset());

/** An order with an invoice in the name of its store. */
async function invoiced(): Promise<Invoiced> {
  const store = await invoicing.createStore();
  invoicing.giveProfile(store);
  return invoicing.invoice(store);
}

const cancel = (order: Invoiced, body: object) =>
  invoicing.call(order, 'POST', '/invoice/cancel', body);

/** What the provider has stamped, and what is set of the newest one, as its receiver answers. */
const stamped = () => [...invoicing.facturapi.invoices.stamped.values()];
const answered = (answer: Partial<StampedInvoice>) => Object.assign(stamped().at(-1) ?? {}, answer);
const cancellations = () =>
  invoicing.facturapi.calls.filter(({ route }) => route.startsWith('DELETE')).length;

const state = async (order: Invoiced) => (await invoicing.read(order)).cancellation;

/** Makes rounds until the provider was asked. */
async function asked(order: Invoiced): Promise<void> {
  await until('the provider was asked', async () => {
    await issueDueInvoices(invoicing.transactions.context);
    const { cancellation, lastError } = await invoicing.read(order);
    return cancellation !== 'requested' || lastError !== null;
  });
}

it('is cancelled once, with the motive and the substitution, and another one takes its place', async () => {
  const order = await invoiced();
  const substitutionUuid = randomUUID();
  const first = await cancel(order, { motive: '01', substitutionUuid });
  expect([first.status, first.body.cancellation]).toEqual([200, 'requested']);
  await asked(order);
  const repeated = await cancel(order, { motive: '02' });
  expect([repeated.status, repeated.body]).toEqual([200, await invoicing.read(order)]);
  expect(repeated.body).toMatchObject({ cancellation: 'accepted', providerStatus: 'canceled' });
  expect(stamped()).toMatchObject([
    { status: 'canceled', motive: '01', substitution: substitutionUuid },
  ]);
  expect(cancellations()).toBe(1);

  const created = await invoicing.call(order, 'POST', '/invoice', { invoice: INVOICE });
  expect(created.status).toBe(201);
  await until('the new one is issued', async () => {
    const { status, cancellation } = await invoicing.read(order);
    return status === 'issued' && cancellation === 'none';
  });
  expect(stamped()).toMatchObject([{ status: 'canceled' }, { status: 'valid' }]);

  const [replaced] = stamped();
  const list = `/v1/admin/transactions/${order.id}/invoice/documents`;
  const { body } = await invoicing.transactions.call(ops('viewer'), 'GET', list);
  expect(body.documents).toMatchObject([
    { kind: 'invoice', uuid: replaced?.uuid, cancellation: 'accepted', total: 110 },
  ]);
  for (const format of ['xml', 'pdf']) {
    const path = `/invoice/file?uuid=${replaced?.uuid}&format=${format}`;
    expect((await invoicing.call(order, 'GET', path)).text.toLowerCase()).toContain(replaced?.uuid);
  }
  expect(await brokenInvariants(invoicing.transactions)).toEqual([]);
});

it('waits for its receiver, who rejects it or lets it expire; after that it is asked for again', async () => {
  const order = await invoiced();
  invoicing.facturapi.invoices.cancellation = 'pending';
  for (const answer of ['rejected', 'expired'] as const) {
    expect((await cancel(order, { motive: '02' })).status).toBe(200);
    await asked(order);
    expect(await invoicing.read(order)).toMatchObject({
      cancellation: 'requested',
      providerStatus: 'pending',
    });
    answered({ cancellation_status: answer });
    await invoicing.tryAgain(order);
    expect(await state(order)).toBe(answer);
  }
  expect(cancellations()).toBe(2);
  invoicing.facturapi.invoices.cancellation = 'accepted';
  await cancel(order, { motive: '02' });
  await asked(order);
  expect(await state(order)).toBe('accepted');
});

it('that a person cancels is not made anew; one that was kept is asked for again when its order ends', async () => {
  const [shrunk, ended] = [await invoiced(), await invoiced()];
  invoicing.facturapi.invoices.cancellation = 'pending';
  await cancel(shrunk, { motive: '02' });
  await invoicing.call(shrunk, 'PUT', '', { status: 'delivery', transactionAmount: 50 });
  await asked(shrunk);
  for (const one of stamped().slice(0, 1)) {
    Object.assign(one, { status: 'canceled', cancellation_status: 'accepted' });
  }
  await invoicing.tryAgain(shrunk);
  expect(await state(shrunk)).toBe('accepted');
  expect(stamped()).toHaveLength(2);

  await cancel(ended, { motive: '02' });
  await asked(ended);
  answered({ cancellation_status: 'rejected' });
  await invoicing.tryAgain(ended);
  invoicing.facturapi.invoices.cancellation = 'accepted';
  await invoicing.call(ended, 'POST', '/cancel');
  await asked(ended);
  expect([await state(ended), stamped().at(-1)?.motive]).toEqual(['accepted', '03']);
});

it('that its receiver kept gets a credit note for what was not delivered meanwhile', async () => {
  const order = await invoiced();
  invoicing.facturapi.invoices.cancellation = 'pending';
  await cancel(order, { motive: '02' });
  await invoicing.call(order, 'PUT', '', { status: 'delivery', transactionAmount: 50 });
  await asked(order);
  answered({ cancellation_status: 'rejected' });
  await invoicing.tryAgain(order);
  await invoicing.tryAgain(order);
  expect(await state(order)).toBe('none');
  const notes = await invoicing.transactions.rows<{ cents: string }>(
    `SELECT cents FROM tax_documents WHERE kind = 'credit-note' AND transaction_id = $1`,
    [order.id],
  );
  expect(notes.map(({ cents }) => Number(cents))).toEqual([6000]);
});

it('refuses what is not issued, what is somebody else’s and a motive without what it needs', async () => {
  const order = await invoiced();
  const stranger = { ...order, store: await invoicing.createStore() };
  const without = {
    ...order,
    id: (await orderOnHold(invoicing.transactions, order.store)).transactionId,
  };
  invoicing.giveProfile(order.store, { legalName: 'LUPITA LUNA' });
  const failed = await invoicing.invoice(order.store);
  const answers = [
    await cancel(order, { motive: '01' }),
    await cancel(failed, { motive: '02' }),
    await cancel(without, { motive: '02' }),
    await cancel(stranger, { motive: '02' }),
    await cancel(order, { motive: '05' }),
    await cancel(order, { motive: '02', substitutionUuid: randomUUID() }),
  ];
  expect(answers.map(({ status, body }) => [status, body.errorCode])).toEqual([
    [422, 'INVOICE_NOT_CANCELLABLE'],
    [422, 'INVOICE_NOT_CANCELLABLE'],
    [404, 'INVOICE_NOT_FOUND'],
    [404, 'TRANSACTION_NOT_FOUND'],
    [400, undefined],
    [400, undefined],
  ]);
  expect([await state(order), cancellations()]).toEqual(['none', 0]);
});

it('ops cancels it and opens its file, too, with an entry in the audit log', async () => {
  const order = await invoiced();
  const path = `/v1/admin/transactions/${order.id}/invoice/cancel`;
  const call = (scope: 'viewer' | 'operator') =>
    invoicing.transactions.call(ops(scope), 'POST', path, { body: { motive: '02' } });
  expect((await call('viewer')).status).toBe(403);
  expect((await call('operator')).body.cancellation).toBe('requested');
  await asked(order);
  expect(await state(order)).toBe('accepted');
  const file = (scope: 'viewer' | 'operator', of = order.id) =>
    invoicing.transactions.call(
      ops(scope),
      'GET',
      `/v1/admin/transactions/${of}/invoice/file?format=xml`,
    );
  expect((await file('viewer')).status).toBe(403);
  expect((await file('operator')).text).toContain('<cfdi:Comprobante');
  expect((await file('operator', randomUUID())).body.errorCode).toBe('TRANSACTION_NOT_FOUND');
  const entries = (await invoicing.transactions.outbox('audit.recorded')).filter(
    ({ data }) => (data as { objectId?: string }).objectId === order.id,
  );
  expect(entries.map(({ data }) => data)).toMatchObject([
    { action: 'invoice.cancelled', details: { motive: '02' } },
    { action: 'invoice-file.viewed', details: { format: 'xml' } },
  ]);
});
