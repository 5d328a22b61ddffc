import { until } from '@fiado/chassis/testing/until';
import { issueDueInvoices } from '../src/invoices/issue-invoice';
import { expireOrders } from '../src/orders/expire-orders';
import { INVOICE } from './support/facturapi';
import { orderOnHold } from './support/orders';
import { type Invoiced, type Invoicing, SHARED, startInvoicing } from './support/stamped-invoices';

let facturapi: Invoicing['facturapi'];
let transactions: Invoicing['transactions'];
let call: Invoicing['call'];
let invoiceOf: Invoicing['read'];
let stop: Invoicing['stop'];
beforeAll(async () => {
  ({ facturapi, transactions, call, read: invoiceOf, stop } = await startInvoicing(SHARED));
});
afterAll(() => stop());
beforeEach(() => facturapi.reset());

const lines = ([price, quantity]: [number, number]) => ({
  product: { ...INVOICE.products[0]?.product, price },
  quantity,
});

/** An invoice of a whole order of 1000: two lines, and a discount of 100. */
const WHOLE = { discount: 100, products: [lines([800, 24]), lines([300, 7])] };

/** An order on hold of 1000 with an issued receipt, `rec_1`, of all of it. */
async function receipt(invoice: object = WHOLE): Promise<Invoiced> {
  const store = await transactions.createCornerStore();
  const { transactionId: id } = await orderOnHold(transactions, store);
  const order = { store, id };
  expect((await call(order, 'POST', '/invoice', { invoice })).status).toBe(201);
  await until('it is issued', async () => (await invoiceOf(order)).status === 'issued');
  return order;
}

/** Makes rounds until the invoice waits for nothing. */
async function settle(order: Invoiced): Promise<void> {
  await until('it waits for nothing', async () => {
    await issueDueInvoices(transactions.context);
    return (await invoiceOf(order)).nextAttemptAt === null;
  });
}

/** Lets the next attempt be due now. */
const due = ({ id }: Invoiced) =>
  transactions.rows('UPDATE invoices SET next_attempt_at = now() WHERE transaction_id = $1', [id]);

/** Makes rounds until an attempt has failed. */
async function fail(order: Invoiced): Promise<void> {
  await until('an attempt has failed', async () => {
    await issueDueInvoices(transactions.context);
    return (await invoiceOf(order)).lastError !== null;
  });
}

const cancel = (order: Invoiced) => call(order, 'POST', '/cancel');
const deliver = (order: Invoiced, transactionAmount: number) =>
  call(order, 'PUT', '', { status: 'delivery', transactionAmount });
const credit = (order: Invoiced, amount: number) =>
  call(order, 'POST', '/credit-notes', { amount, reason: 'return' });

/** What a receipt bills, in cents. */
const billed = ({ discount, products }: { discount: number; products: typeof WHOLE.products }) =>
  Math.round(
    100 * (products.reduce((sum, { product }) => sum + (product.price ?? 0), 0) - discount),
  );

describe('a receipt at Facturapi', () => {
  it.each([
    ['cancelled', cancel],
    [
      'expired',
      async ({ id }: Invoiced) => {
        await transactions.rows(
          `UPDATE transactions SET expires_at = now() - interval '1 second' WHERE id = $1`,
          [id],
        );
        await expireOrders(transactions.context);
      },
    ],
  ])('is cancelled when its order is %s', async (_, end) => {
    const order = await receipt();
    await end(order);
    await settle(order);
    expect(await invoiceOf(order)).toMatchObject({
      status: 'issued',
      cancellation: 'accepted',
      providerInvoiceId: 'rec_1',
      providerStatus: 'canceled',
      nextAttemptAt: null,
    });
    expect([...facturapi.receipts]).toEqual([['rec_1', 'canceled']]);
    expect(facturapi.calls.map(({ route }) => route)).toEqual([
      'POST /v2/receipts',
      'DELETE /v2/receipts/rec_1',
    ]);
  });

  it('is made anew, smaller in proportion, when less is delivered and when some of it is credited', async () => {
    const order = await receipt();
    const { invoiceId } = await invoiceOf(order);
    await deliver(order, 750);
    await settle(order);
    const delivered = await invoiceOf(order);
    expect(delivered).toMatchObject({
      status: 'issued',
      cancellation: 'none',
      providerInvoiceId: 'rec_2',
      discount: 75,
      products: [lines([600, 24]), lines([225, 7])],
    });
    expect(delivered.invoiceId).not.toBe(invoiceId);

    const note = await credit(order, 249.99);
    expect(note.status).toBe(201);
    await settle(order);
    const credited = await invoiceOf(order);
    expect(billed(credited)).toBe(50_001);
    expect([...facturapi.receipts]).toEqual([
      ['rec_1', 'canceled'],
      ['rec_2', 'canceled'],
      ['rec_3', 'open'],
    ]);
    const { body } = await call(order, 'GET', '/credit-notes');
    expect(body.creditNotes).toMatchObject([{ invoiceAction: null }]);
  });

  it('is cancelled when all of its order is credited, and stays when it bills no more than the order', async () => {
    const whole = await receipt();
    await deliver(whole, 1000);
    await credit(whole, 1000);
    const part = await receipt(INVOICE);
    await deliver(part, 500);
    await Promise.all([settle(whole), settle(part)]);
    expect(await invoiceOf(whole)).toMatchObject({ cancellation: 'accepted' });
    expect(await invoiceOf(part)).toMatchObject({ cancellation: 'none', status: 'issued' });
    expect([...facturapi.receipts.values()]).toEqual(['canceled', 'open']);
  });

  it.each(['invoiced_to_customer', 'invoiced_globally'] as const)(
    'that is %s stays, and its invoice says that it was not cancelled',
    async (status) => {
      const order = await receipt();
      await deliver(order, 750);
      facturapi.receipts.set('rec_1', status);
      await settle(order);
      expect(await invoiceOf(order)).toMatchObject({
        status: 'issued',
        cancellation: 'rejected',
        providerStatus: status,
        lastError: 'No es válido',
        discount: 100,
      });
      expect((await credit(order, 100)).body).toMatchObject({ invoiceAction: 'credit-note-due' });
      await settle(order);
      expect(facturapi.receipts.size).toBe(1);
    },
  );

  it('is cancelled once, although each answer is lost and its process is killed in between', async () => {
    const order = await receipt();
    await deliver(order, 750);
    // The answer to the cancellation is lost. Then Facturapi refuses to cancel it twice, and the answer
    // about the new receipt is lost, too.
    facturapi.answers.push(
      { status: 500, afterwards: true },
      { status: 400 },
      { status: 200, body: { id: 'rec_1', status: 'canceled' } },
      { status: 500, afterwards: true },
    );
    await fail(order);
    expect(await invoiceOf(order)).toMatchObject({
      cancellation: 'requested',
      lastError: 'Facturapi failed (500)',
      nextAttemptAt: expect.any(String),
    });
    await due(order);
    await until('the smaller one was tried', async () => {
      await issueDueInvoices(transactions.context);
      const { status, lastError } = await invoiceOf(order);
      return status === 'pending' && lastError !== null;
    });
    await due(order);
    await settle(order);
    expect(await invoiceOf(order)).toMatchObject({ status: 'issued', cancellation: 'none' });
    expect([...facturapi.receipts]).toEqual([
      ['rec_1', 'canceled'],
      ['rec_2', 'open'],
    ]);
  });

  it('that nobody knows of yet, because the answer was lost, is cancelled with its order', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId: id } = await orderOnHold(transactions, store);
    const order = { store, id };
    facturapi.answers.push({ status: 500, afterwards: true });
    await call(order, 'POST', '/invoice', { invoice: WHOLE });
    await until('it was tried', async () => (await invoiceOf(order)).lastError !== null);
    await cancel(order);
    await due(order);
    await settle(order);
    expect(await invoiceOf(order)).toMatchObject({ status: 'issued', cancellation: 'accepted' });
    expect([...facturapi.receipts]).toEqual([['rec_1', 'canceled']]);
  });

  it('is corrected by what is owed when it is cancelled, also by a note that came meanwhile', async () => {
    const order = await receipt();
    await deliver(order, 750);
    // It is claimed, and its process is killed before the provider is asked.
    await transactions.rows(
      `UPDATE invoices SET attempts = attempts + 1, next_attempt_at = now() + interval '60 seconds'
        WHERE transaction_id = $1`,
      [order.id],
    );
    await credit(order, 250);
    await due(order);
    await settle(order);
    expect(billed(await invoiceOf(order))).toBe(50_000);
    expect([...facturapi.receipts.values()]).toEqual(['canceled', 'open']);
  });
});
