import { randomUUID } from 'node:crypto';
import { increasesOf, sampleIn } from '@fiado/chassis/testing/metrics';
import { until } from '@fiado/chassis/testing/until';
import { issueInvoice } from '@fiado/contracts/jobs/issue-invoice';
import { issueDueInvoices } from '../src/invoices/issue-invoice';
import { INVOICE, RECEIPT, type ProviderAnswer } from './support/facturapi';
import { batchItem, type Order, orderOnHold, sendBatch } from './support/orders';
import { type Invoiced, type Invoicing, SHARED, startInvoicing } from './support/stamped-invoices';
import type { CornerStore } from './support/transactions';

let facturapi: Invoicing['facturapi'];
let transactions: Invoicing['transactions'];
let call: Invoicing['call'];
let stop: Invoicing['stop'];
beforeAll(async () => {
  ({ facturapi, transactions, call, stop } = await startInvoicing(SHARED));
});
afterAll(() => stop());
beforeEach(() => facturapi.reset());

const create = (store: CornerStore, id: string, invoice: object = INVOICE) =>
  call({ store, id }, 'POST', '/invoice', { invoice });
const read = (store: CornerStore, id: string) => call({ store, id }, 'GET', '/invoice');

/** An order on hold with an invoice of which the provider made something. */
async function createdInvoice(...first: ProviderAnswer[]): Promise<Invoiced> {
  const store = await transactions.createCornerStore();
  const { transactionId: id } = await orderOnHold(transactions, store);
  facturapi.answers.push(...first);
  expect((await create(store, id)).status).toBe(201);
  await until('the provider was asked', async () => (await read(store, id)).body.attempts > 0);
  await until('its answer is stored', async () => {
    const { status, lastError, providerStatus } = (await read(store, id)).body;
    return status !== 'pending' || lastError !== null || providerStatus !== null;
  });
  return { store, id };
}

/** Lets the next attempt of an invoice be due now, and some rounds begin at the same time. */
async function tryAgain(id: string, rounds = 1): Promise<void> {
  await transactions.rows('UPDATE invoices SET next_attempt_at = now() WHERE transaction_id = $1', [
    id,
  ]);
  await Promise.all(Array.from({ length: rounds }, () => issueDueInvoices(transactions.context)));
}

const IVA = { rate: 0.16, type: 'IVA' };
const EXEMPT = { rate: 0, type: 'IVA', factor: 'Exento' };

describe('an invoice', () => {
  it('is stored and issued once, as a receipt without a customer', async () => {
    const { store, id } = await createdInvoice();

    const { body } = await read(store, id);
    expect(body).toEqual({
      invoiceId: expect.any(String),
      transactionId: id,
      status: 'issued',
      kind: 'receipt',
      cancellation: 'none',
      ...INVOICE,
      total: 110,
      warning: expect.stringMatching(/under half .* `quantity` does not multiply it$/),
      provider: 'facturapi',
      isSimulated: false,
      providerInvoiceId: 'rec_1',
      providerStatus: 'open',
      uuid: null,
      selfInvoiceUrl: RECEIPT.self_invoice_url,
      attempts: 1,
      lastError: null,
      nextAttemptAt: null,
      failureReason: null,
      createdAt: expect.any(String),
      issuedAt: expect.any(String),
    });
    expect(facturapi.calls).toEqual([
      {
        route: 'POST /v2/receipts',
        key: 'sk_test_1',
        body: {
          payment_form: '03',
          idempotency_key: body.invoiceId,
          external_id: id,
          items: [
            {
              // Without the IVA of 16 %.
              discount: 8.62069,
              quantity: 12,
              product: expect.objectContaining({
                price: 8.62069,
                tax_included: false,
                taxes: [{ rate: 0.16, type: 'IVA' }],
              }),
            },
          ],
        },
      },
    ]);
  });

  it.each([401, 402, 403, 408, 429, 500])(
    'is retried with the same key after a %d, and shows the error meanwhile',
    async (status) => {
      const { store, id } = await createdInvoice({ status });

      const { body: meanwhile } = await read(store, id);
      expect(meanwhile).toMatchObject({
        status: 'pending',
        attempts: 1,
        lastError: `Facturapi failed (${status})`,
        failureReason: null,
      });
      expect(Date.parse(meanwhile.nextAttemptAt)).toBeGreaterThan(Date.parse(meanwhile.createdAt));
      await tryAgain(id);

      expect((await read(store, id)).body).toMatchObject({
        status: 'issued',
        attempts: 2,
        lastError: null,
      });
      expect(facturapi.calls).toHaveLength(2);
      expect(facturapi.calls[1]).toEqual(facturapi.calls[0]);
    },
  );

  it('waits as long as its provider asks after a 429', async () => {
    const { store, id } = await createdInvoice({ status: 429, headers: { 'retry-after': '120' } });
    const { createdAt, nextAttemptAt } = (await read(store, id)).body;
    const seconds = (Date.parse(nextAttemptAt) - Date.parse(createdAt)) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(120);
  });

  it('is not issued once its order is cancelled', async () => {
    const { store, id } = await createdInvoice({ status: 401 });
    await transactions.call(store.caller, 'POST', `/v1/transaction/${id}/cancel`);
    const { length: calls } = facturapi.calls;

    await tryAgain(id);

    expect((await read(store, id)).body).toMatchObject({
      status: 'failed',
      cancellation: 'none',
      failureReason: 'The transaction was cancelled or expired before its invoice was issued',
    });
    expect(facturapi.calls).toHaveLength(calls);
  });

  it('is retried with growing delays of up to an hour, and fails after three days', async () => {
    const { store, id } = await createdInvoice({ status: 401 });
    const pauses = [];
    for (const attempts of [1, 2, 20]) {
      await transactions.rows('UPDATE invoices SET attempts = $2 WHERE transaction_id = $1', [
        id,
        attempts,
      ]);
      facturapi.answers.push({ status: 401 });
      await tryAgain(id);
      const [row] = await transactions.rows<{ pause: number }>(
        `SELECT round(extract(epoch FROM next_attempt_at - now()) / 30)::integer AS pause
           FROM invoices WHERE transaction_id = $1`,
        [id],
      );
      pauses.push(row?.pause);
    }
    expect(pauses).toEqual([2, 4, 120]);

    await transactions.rows(
      `UPDATE invoices SET created_at = now() - interval '73 hours' WHERE transaction_id = $1`,
      [id],
    );
    facturapi.answers.push({ status: 401 });
    await tryAgain(id);
    expect((await read(store, id)).body).toMatchObject({
      status: 'failed',
      failureReason: 'Facturapi failed (401)',
      nextAttemptAt: null,
    });
  });

  it('stays pending while the provider processes it, and is looked up by its id', async () => {
    const pending = { id: 'rec_2', status: 'pending', uuid: null };
    const uuid = randomUUID();
    const { store, id } = await createdInvoice({ status: 202, body: pending });
    expect((await read(store, id)).body).toMatchObject({
      status: 'pending',
      providerInvoiceId: 'rec_2',
      providerStatus: 'pending',
    });

    facturapi.answers.push({ status: 200, body: pending });
    await tryAgain(id);
    expect((await read(store, id)).body.status).toBe('pending');
    facturapi.answers.push({ status: 200, body: { id: 'rec_2', status: 'valid', uuid } });
    await tryAgain(id);

    expect((await read(store, id)).body).toMatchObject({
      status: 'issued',
      providerInvoiceId: 'rec_2',
      providerStatus: 'valid',
      uuid,
    });
    expect(facturapi.calls.map(({ route }) => route)).toEqual([
      'POST /v2/receipts',
      'GET /v2/receipts/rec_2',
      'GET /v2/receipts/rec_2',
    ]);
  });

  it('has prices of pieces with six decimals that give the line to the cent, or is of one piece', async () => {
    const [one] = INVOICE.products;
    const products = [
      { quantity: 24, product: { ...one?.product, price: 100 } },
      {
        quantity: 30_000,
        product: {
          ...one?.product,
          price: 600.01,
          taxes: [{ rate: 0.01, type: 'IEPS', factor: 'Cuota' }, IVA],
        },
      },
      { quantity: 1, product: { ...one?.product, price: 50, taxes: [EXEMPT] } },
    ];
    const store = await transactions.createCornerStore();
    const { transactionId: id } = await orderOnHold(transactions, store);
    expect((await create(store, id, { discount: 0, products })).status).toBe(201);
    await until('it is issued', async () => (await read(store, id)).body.status === 'issued');
    expect(facturapi.calls[0]?.body.items).toMatchObject([
      { quantity: 24, product: { description: 'Refresco 600 ml', price: 3.591954 } },
      {
        quantity: 1,
        product: {
          description: 'Refresco 600 ml (cantidad: 30000)',
          price: 217.25,
          taxes: [{ rate: 0.01, type: 'IEPS', factor: 'Cuota', base: 30_000 }, IVA],
        },
      },
      { quantity: 1, product: { price: 50, taxes: [EXEMPT] } },
    ]);
  });

  it('is not issued when its provider bills another total: the receipt is cancelled, and the next one is issued', async () => {
    const another = { status: 200, body: { ...RECEIPT, total: 99_999 }, afterwards: true as const };
    const { store, id } = await createdInvoice(another);
    expect((await read(store, id)).body).toMatchObject({
      status: 'failed',
      failureReason: 'facturapi billed 99999 and not 110 in rec_1',
      providerInvoiceId: null,
    });
    expect([...facturapi.receipts]).toEqual([['rec_1', 'canceled']]);
    expect((await create(store, id)).status).toBe(201);
    await until('it is issued', async () => (await read(store, id)).body.status === 'issued');

    // The store has turned it into its invoice meanwhile.
    facturapi.reset();
    const counted = async () => {
      const { text } = await transactions.call(undefined, 'GET', '/metrics');
      return [sampleIn(text, 'fiado_invoice_tries_total{outcome="total-differs"}')];
    };
    const increases = await increasesOf(counted, async () => {
      const refused = await createdInvoice(another, { status: 400 });
      expect((await read(refused.store, refused.id)).body).toMatchObject({
        status: 'failed',
        failureReason: expect.stringMatching(/ in rec_1, which is not cancelled: No es válido$/),
      });
    });
    expect(increases).toEqual([1]);
  });

  it('fails with the reason of a final refusal, and is replaced by the next one', async () => {
    const { store, id } = await createdInvoice({ status: 400 });
    const { body: failed } = await read(store, id);
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'No es válido' });

    const again = await create(store, id, { ...INVOICE, discount: 0 });

    expect([again.status, again.body]).toEqual([201, { success: true }]);
    await until('it is issued', async () => (await read(store, id)).body.status === 'issued');
    const { body: replaced } = await read(store, id);
    expect(replaced).toMatchObject({ discount: 0, failureReason: null });
    expect(replaced.invoiceId).not.toBe(failed.invoiceId);
    expect((await create(store, id)).body.errorCode).toBe('INVOICE_ALREADY_EXISTS');
  });
});

describe('an invoice that was stored', () => {
  const untilIssued = (store: CornerStore, id: string) =>
    until('it is issued', async () => (await read(store, id)).body.status === 'issued');

  it('is issued by its row: no job leaves, and a job of the release before only wakes the loop', async () => {
    const { store, id } = await createdInvoice();
    const { body } = await read(store, id);
    expect(await transactions.outbox('issue-invoice')).toEqual([]);
    const { invoiceId } = body;
    await transactions.deliver(issueInvoice, { id: invoiceId, version: 1 }, { invoiceId });
    expect((await read(store, id)).body).toEqual(body);
    expect(facturapi.calls).toHaveLength(1);
  });

  it('is issued by a round that nothing woke, after its process was killed', async () => {
    const store = await transactions.createCornerStore();
    const { transactionId: id } = await orderOnHold(transactions, store);
    const wake = jest.spyOn(transactions.context.invoiceLoop, 'wake').mockReturnValue();
    await create(store, id);
    wake.mockRestore();
    await until('the provider was asked', () => facturapi.calls.length > 0);
    await untilIssued(store, id);
    expect(facturapi.calls).toHaveLength(1);
  });

  it('is asked of the provider once, although several rounds find it at the same time', async () => {
    const { store, id } = await createdInvoice({ status: 500 });
    // Eight, so that some find it before one of them claims it.
    await tryAgain(id, 8);
    await untilIssued(store, id);
    expect((await read(store, id)).body).toMatchObject({ attempts: 2 });
    expect(facturapi.calls).toHaveLength(2);
  });

  it('is in the first round after it was due, while another wholesaler has older ones for more than that', async () => {
    const flood = await transactions.createCornerStore({
      store: { creditLimitCents: 100_000_000 },
    });
    const other = await transactions.createCornerStore();
    const ordersOf = async (store: CornerStore, count: number): Promise<string[]> => {
      const items = Array.from({ length: count }, () => batchItem(store.cornerStoreId));
      const { body } = await sendBatch(transactions, store, items);
      const ids = body.map(({ transactionId }: Order) => transactionId);
      for (const id of ids) expect((await create(store, id)).status).toBe(201);
      return ids;
    };
    facturapi.answers.push(...Array.from({ length: 13 }, () => ({ status: 500 })));
    const ids = await ordersOf(flood, 12);
    const [last = ''] = await ordersOf(other, 1);
    await until('all have failed', async () => {
      const tried = await transactions.rows(
        'SELECT FROM invoices WHERE transaction_id = ANY ($1) AND last_error IS NOT NULL',
        [[...ids, last]],
      );
      return tried.length === 13;
    });
    facturapi.reset();
    await transactions.rows(
      `UPDATE invoices SET next_attempt_at = now() - interval '1 minute' * (13 - place)
         FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place)
        WHERE transaction_id = asked.id`,
      [[...ids, last]],
    );
    transactions.context.invoiceLoop.wake();
    const asked = () =>
      facturapi.calls.map(({ body }) => (body as { external_id: string }).external_id);
    await until('the last one is asked for', () => asked().includes(last));
    expect(asked().slice(0, 10)).toContain(last);
  });
});
