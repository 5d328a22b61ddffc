import { randomUUID } from 'node:crypto';
import { until } from '@fiado/shared/testing/until';
import { issueDueInvoices } from '../src/use-cases/issue-due-invoices';
import {
  INVOICE,
  RECEIPT,
  startFacturapi,
  type Facturapi,
  type ProviderAnswer,
} from './support/facturapi';
import { orderOnHold, startHouse, type House, type Shop } from './support/house';

let facturapi: Facturapi;
let house: House;
beforeAll(async () => {
  facturapi = await startFacturapi();
  house = await startHouse(facturapi.config);
});
afterAll(async () => {
  await house.stop();
  facturapi.stop();
});
beforeEach(() => facturapi.reset());

const create = (shop: Shop, id: string, invoice: object = INVOICE) =>
  house.call(shop.caller, 'POST', `/v1/transaction/${id}/invoice`, { body: { invoice } });
const read = (shop: Shop, id: string) =>
  house.call(shop.caller, 'GET', `/v1/transaction/${id}/invoice`);

/** An order on hold with an invoice of which the provider made something. */
async function createdInvoice(...first: ProviderAnswer[]): Promise<{ shop: Shop; id: string }> {
  const shop = await house.openShop();
  const { transactionId: id } = await orderOnHold(house, shop);
  facturapi.answers.push(...first);
  expect((await create(shop, id)).status).toBe(201);
  await until('the provider was asked', async () => (await read(shop, id)).body.attempts > 0);
  await until('its answer is stored', async () => {
    const { status, lastError, providerStatus } = (await read(shop, id)).body;
    return status !== 'pending' || lastError !== null || providerStatus !== null;
  });
  return { shop, id };
}

/** Lets the next attempt of an invoice be due now. */
async function tryAgain(id: string): Promise<void> {
  await house.rows('UPDATE invoices SET next_attempt_at = now() WHERE transaction_id = $1', [id]);
  await issueDueInvoices(house.context);
}

describe('an invoice', () => {
  it('is stored and issued once, as a receipt without a customer', async () => {
    const { shop, id } = await createdInvoice();

    const { body } = await read(shop, id);
    expect(body).toEqual({
      invoiceId: expect.any(String),
      transactionId: id,
      status: 'issued',
      ...INVOICE,
      provider: 'facturapi',
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
        body: {
          payment_form: '99',
          idempotency_key: body.invoiceId,
          external_id: id,
          items: [
            {
              discount: 10,
              quantity: 12,
              product: expect.objectContaining({ price: 10, tax_included: true }),
            },
          ],
        },
      },
    ]);
  });

  it.each([401, 402, 403, 408, 429, 500])(
    'is retried with the same key after a %d, and shows the error meanwhile',
    async (status) => {
      const { shop, id } = await createdInvoice({ status });

      const { body: meanwhile } = await read(shop, id);
      expect(meanwhile).toMatchObject({
        status: 'pending',
        attempts: 1,
        lastError: `Facturapi failed (${status})`,
        failureReason: null,
      });
      expect(Date.parse(meanwhile.nextAttemptAt)).toBeGreaterThan(Date.parse(meanwhile.createdAt));
      await tryAgain(id);

      expect((await read(shop, id)).body).toMatchObject({
        status: 'issued',
        attempts: 2,
        lastError: null,
      });
      expect(facturapi.calls).toHaveLength(2);
      expect(facturapi.calls[1]).toEqual(facturapi.calls[0]);
    },
  );

  it('is not issued once its order is cancelled; one that was issued stays', async () => {
    const waiting = await createdInvoice({ status: 401 });
    const issued = await createdInvoice();
    for (const { shop, id } of [waiting, issued]) {
      const path = `/v1/transaction/${id}/cancel`;
      expect((await house.call(shop.caller, 'POST', path)).status).toBe(200);
    }
    const { length: calls } = facturapi.calls;

    await tryAgain(waiting.id);

    expect((await read(waiting.shop, waiting.id)).body).toMatchObject({
      status: 'failed',
      failureReason: 'The transaction was cancelled or expired before its invoice was issued',
    });
    expect(facturapi.calls).toHaveLength(calls);
    expect((await read(issued.shop, issued.id)).body.status).toBe('issued');
  });

  it('is retried with growing delays of up to an hour, and fails after three days', async () => {
    const { shop, id } = await createdInvoice({ status: 401 });
    const pauses = [];
    for (const attempts of [1, 2, 20]) {
      await house.rows('UPDATE invoices SET attempts = $2 WHERE transaction_id = $1', [
        id,
        attempts,
      ]);
      facturapi.answers.push({ status: 401 });
      await tryAgain(id);
      const [row] = await house.rows<{ pause: number }>(
        `SELECT round(extract(epoch FROM next_attempt_at - now()) / 30)::integer AS pause
           FROM invoices WHERE transaction_id = $1`,
        [id],
      );
      pauses.push(row?.pause);
    }
    expect(pauses).toEqual([2, 4, 120]);

    await house.rows(
      `UPDATE invoices SET created_at = now() - interval '73 hours' WHERE transaction_id = $1`,
      [id],
    );
    facturapi.answers.push({ status: 401 });
    await tryAgain(id);
    expect((await read(shop, id)).body).toMatchObject({
      status: 'failed',
      failureReason: 'Facturapi failed (401)',
      nextAttemptAt: null,
    });
  });

  it('stays pending while the provider processes it, and is looked up by its id', async () => {
    const pending = { id: 'rec_2', status: 'pending', uuid: null };
    const uuid = randomUUID();
    const { shop, id } = await createdInvoice({ status: 202, body: pending });
    expect((await read(shop, id)).body).toMatchObject({
      status: 'pending',
      providerInvoiceId: 'rec_2',
      providerStatus: 'pending',
    });

    facturapi.answers.push({ status: 200, body: pending });
    await tryAgain(id);
    expect((await read(shop, id)).body.status).toBe('pending');
    facturapi.answers.push({ status: 200, body: { id: 'rec_2', status: 'valid', uuid } });
    await tryAgain(id);

    expect((await read(shop, id)).body).toMatchObject({
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

  it('fails with the reason of a final refusal, and is replaced by the next one', async () => {
    const { shop, id } = await createdInvoice({ status: 400 });
    const { body: failed } = await read(shop, id);
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'No es válido' });

    const again = await create(shop, id, { ...INVOICE, discount: 0 });

    expect([again.status, again.body]).toEqual([201, { success: true }]);
    await until('it is issued', async () => (await read(shop, id)).body.status === 'issued');
    const { body: replaced } = await read(shop, id);
    expect(replaced).toMatchObject({ discount: 0, failureReason: null });
    expect(replaced.invoiceId).not.toBe(failed.invoiceId);
    expect((await create(shop, id)).body.errorCode).toBe('INVOICE_ALREADY_EXISTS');
  });
});
