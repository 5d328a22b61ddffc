import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { unlessBusy } from '@fiado/chassis/testing/call';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { until } from '@fiado/chassis/testing/until';
import { INVOICE } from './support/facturapi';
import { orderOnHold } from './support/orders';
import { type Invoicing, SHARED, startInvoicing } from './support/stamped-invoices';
import type { CornerStore } from './support/transactions';

let transactions: Invoicing['transactions'];
let call: Invoicing['call'];
let stop: Invoicing['stop'];
beforeAll(async () => {
  ({ transactions, call, stop } = await startInvoicing(SHARED));
});
afterAll(() => stop());

const create = (store: CornerStore, id: string, invoice: object = INVOICE) =>
  call({ store, id }, 'POST', '/invoice', { invoice });
const read = (store: CornerStore, id: string) => call({ store, id }, 'GET', '/invoice');

describe('POST /transaction/{id}/invoice', () => {
  it('refuses more than the order, and once it is delivered more than the delivery', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store, { totalAmount: 540 });
    const lineOf = (price: number, quantity: number) => ({
      ...INVOICE.products[0],
      product: { ...INVOICE.products[0]?.product, price },
      quantity,
    });
    const invoiceOf = (...prices: number[]) => ({
      discount: 10,
      products: prices.map((price) => lineOf(price, 24)),
    });

    const beyondOrder = [
      await create(store, transactionId, invoiceOf(100_000)),
      await create(store, transactionId, invoiceOf(550.02)),
      await create(store, transactionId, invoiceOf(275, 275.03)),
    ];
    await transactions.call(store.caller, 'PUT', `/v1/transaction/${transactionId}`, {
      body: { status: 'delivery', transactionAmount: 500 },
    });
    const beyondDelivery = await create(store, transactionId, invoiceOf(275, 275));
    const within = await create(store, transactionId, invoiceOf(255, 255.02));

    expect(
      [...beyondOrder, beyondDelivery].map(({ status, body }) => [
        status,
        body.errorCode,
        body.maximumAmount,
      ]),
    ).toEqual([540, 540, 540, 500].map((most) => [422, 'INVOICE_AMOUNT_NOT_ALLOWED', most]));
    expect(within.status).toBe(201);
    expect((await read(store, transactionId)).body).toMatchObject({
      total: 500.02,
      warning: null,
    });
  });

  it('refuses a second invoice, also of ten at once', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);

    const results = await inFlight(
      Array.from({ length: 10 }, () => () => unlessBusy(() => create(store, transactionId))),
    );

    expect(results.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = results.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.errorCode}`))).toEqual(
      new Set(['409 INVOICE_ALREADY_EXISTS']),
    );
  });

  /** The invoice with this tax. */
  const withTax = (tax: object) => ({
    ...INVOICE,
    products: INVOICE.products.map((one) => ({
      ...one,
      product: { ...one.product, taxes: [{ rate: 0, type: 'IVA', ...tax }] },
    })),
  });

  it('takes the taxes that the tax authority has, and names what it refuses', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId } = await orderOnHold(transactions, store);
    const problemsOf = async (tax: object) =>
      (await create(store, transactionId, withTax(tax))).body.message;
    const product = 'invoice.products.0.product';
    for (const [tax, problem] of [
      [{ rate: 1e-7 }, `${product}.taxes.0.rate must be from 0 to 2 with at most 6 decimals`],
      [{ rate: 2.01 }, `${product}.taxes.0.rate must be from 0 to 2 with at most 6 decimals`],
      [{ rate: 0.1, factor: 'Exento' }, `${product}.taxes.0.rate must be 0 with Exento`],
      [
        { rate: 3.08, factor: 'Cuota' },
        `${product}.taxes.0.rate may be a Cuota of the type IEPS only`,
      ],
      [
        { type: 'IEPS', rate: 99.99, factor: 'Cuota' },
        'invoice.products have a price below its taxes of the factor Cuota',
      ],
    ] as const) {
      expect(await problemsOf(tax)).toEqual([problem]);
    }
    const quota = withTax({ type: 'IEPS', rate: 3.08, factor: 'Cuota' });
    expect((await create(store, transactionId, quota)).status).toBe(201);
    const { body } = await read(store, transactionId);
    expect(body.products).toEqual(quota.products);
  });

  it('refuses unconfirmed, unknown, invalid and other wholesalers’ orders', async () => {
    const store = await transactions.createCornerStore();
    const { body: pending } = await transactions.order(store);
    const { transactionId } = await orderOnHold(transactions, store);

    const results = [
      await create(store, pending.transactionId),
      await create(store, randomUUID()),
      await create({ ...store, caller: wholesaler() }, transactionId),
      await create(store, transactionId, { ...INVOICE, discount: 120.01 }),
      await create(store, transactionId, { discount: 0, products: [{ product: [], quantity: 0 }] }),
      await read(store, transactionId),
      await read({ ...store, caller: wholesaler() }, transactionId),
    ];

    expect(results.map(({ status, body }) => [status, body.errorCode ?? body.error])).toEqual([
      [422, 'TRANSACTION_NOT_INVOICEABLE'],
      [404, 'TRANSACTION_NOT_FOUND'],
      [404, 'TRANSACTION_NOT_FOUND'],
      [400, 'Bad Request'],
      [400, 'Bad Request'],
      [404, 'INVOICE_NOT_FOUND'],
      [404, 'TRANSACTION_NOT_FOUND'],
    ]);
  });
});

it('an invoice that nobody issued is simulated, and gives way to one that is issued', async () => {
  const store = await transactions.createCornerStore();
  const { transactionId } = await orderOnHold(transactions, store, { totalAmount: 540 });
  await create(store, transactionId);
  expect((await read(store, transactionId)).body).toMatchObject({ isSimulated: false });
  await transactions.rows(
    `UPDATE invoices SET provider = 'local', status = 'issued', issued_at = now(),
            provider_invoice_id = 'local-1' WHERE transaction_id = $1`,
    [transactionId],
  );
  expect((await read(store, transactionId)).body).toMatchObject({ isSimulated: true });
  expect((await create(store, transactionId)).status).toBe(201);
  expect((await read(store, transactionId)).body).toMatchObject({ isSimulated: false });
});

it('without an issuer an invoice is refused with the reason, and one that waits fails', async () => {
  const provider = jest.replaceProperty(transactions.context, 'invoiceProvider', undefined);
  const store = await transactions.createCornerStore();
  const { transactionId } = await orderOnHold(transactions, store, { totalAmount: 540 });
  const refused = await create(store, transactionId);
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { errorCode: 'TRANSACTION_NOT_INVOICEABLE', reason: 'no-invoice-issuer' },
  ]);

  // Of a process whose provider was local.
  await transactions.rows(
    `INSERT INTO invoices (id, transaction_id, wholesaler_id, discount_cents, products, status, provider)
     VALUES ($1, $2, $3, 0, $4, 'pending', 'local')`,
    [randomUUID(), transactionId, store.caller.id, JSON.stringify(INVOICE.products)],
  );
  transactions.context.invoiceLoop.wake();
  await until(
    'it was tried',
    async () => (await read(store, transactionId)).body.status === 'failed',
  );
  provider.restore();
});
