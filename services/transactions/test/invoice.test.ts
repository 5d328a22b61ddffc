import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wholesaler } from '@fiado/shared/testing/callers';
import { until } from '@fiado/shared/testing/until';
import { orderOnHold, startHouse, type House, type Shop } from './support/house';

const INVOICE = {
  discount: 10,
  products: [
    {
      product: {
        description: 'Refresco 600 ml',
        price: 120,
        productKey: '50202306',
        sku: 'REF-600',
        taxes: [{ rate: 0.16, type: 'IVA' }],
        unitKey: 'H87',
      },
      quantity: 12,
    },
  ],
};

interface Posted {
  idempotency_key: string;
  external_id: string;
  items: Array<{ discount: number; product: { price: number } }>;
}

let facturapi: Server;
const posted: Posted[] = [];
const answers: number[] = [];
let house: House;
beforeAll(async () => {
  facturapi = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      posted.push(JSON.parse(body) as Posted);
      const status = answers.shift() ?? 200;
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(JSON.stringify(status < 400 ? { id: 'fac_1' } : { message: 'No es válido', status }));
    });
  });
  await new Promise<void>((done) => facturapi.listen(0, '127.0.0.1', done));
  house = await startHouse({
    INVOICE_PROVIDER: 'facturapi',
    FACTURAPI_KEY: 'sk_test_1',
    FACTURAPI_ZIP: '06000',
    FACTURAPI_BASE_URL: `http://127.0.0.1:${(facturapi.address() as AddressInfo).port}/v2`,
  });
});
afterAll(async () => {
  await house.stop();
  facturapi.close();
});
beforeEach(() => {
  posted.length = 0;
});

const create = (shop: Shop, id: string, invoice: object = INVOICE) =>
  house.call(shop.caller, 'POST', `/v1/transaction/${id}/invoice`, { body: { invoice } });
const read = (shop: Shop, id: string) =>
  house.call(shop.caller, 'GET', `/v1/transaction/${id}/invoice`);

describe('POST /transaction/{id}/invoice', () => {
  it('stores the invoice and has it issued once by the provider', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);

    const answer = await create(shop, transactionId);

    expect([answer.status, answer.body]).toEqual([201, { success: true }]);
    await until(
      'it is issued',
      async () => (await read(shop, transactionId)).body.status === 'issued',
    );
    const { body } = await read(shop, transactionId);
    expect(body).toEqual({
      invoiceId: expect.any(String),
      transactionId,
      status: 'issued',
      ...INVOICE,
      provider: 'facturapi',
      providerInvoiceId: 'fac_1',
      failureReason: null,
      createdAt: expect.any(String),
      issuedAt: expect.any(String),
    });
    expect(posted).toHaveLength(1);
    expect(posted[0]).toMatchObject({
      idempotency_key: body.invoiceId,
      external_id: transactionId,
      items: [{ discount: 10, quantity: 12, product: { price: 10, tax_included: true } }],
    });
  });

  it('asks the provider again under the same key after a failure that may heal', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);
    answers.push(500, 429);

    await create(shop, transactionId);

    await until(
      'it is issued',
      async () => (await read(shop, transactionId)).body.status === 'issued',
    );
    expect(new Set(posted.map(({ idempotency_key: key }) => key)).size).toBe(1);
    expect(posted).toHaveLength(3);
  });

  it("keeps the provider's final no with its reason", async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);
    answers.push(400);

    await create(shop, transactionId);

    await until(
      'it is failed',
      async () => (await read(shop, transactionId)).body.status === 'failed',
    );
    expect((await read(shop, transactionId)).body.failureReason).toBe('No es válido');
  });

  it('refuses more than the order, and once it is delivered more than the delivery', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop, { totalAmount: 540 });
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
      await create(shop, transactionId, invoiceOf(100_000)),
      await create(shop, transactionId, invoiceOf(550.02)),
      await create(shop, transactionId, invoiceOf(275, 275.03)),
    ];
    await house.call(shop.caller, 'PUT', `/v1/transaction/${transactionId}`, {
      body: { status: 'delivery', transactionAmount: 500 },
    });
    const beyondDelivery = await create(shop, transactionId, invoiceOf(275, 275));
    const within = await create(shop, transactionId, invoiceOf(255, 255.02));

    expect(
      [...beyondOrder, beyondDelivery].map(({ status, body }) => [status, body.errorCode]),
    ).toEqual(Array.from({ length: 4 }, () => [422, 'INVOICE_AMOUNT_NOT_ALLOWED']));
    expect(within.status).toBe(201);
  });

  it('refuses a second invoice, also of twenty at once', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);

    const results = await Promise.all(
      Array.from({ length: 20 }, () => create(shop, transactionId)),
    );

    expect(results.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = results.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.errorCode}`))).toEqual(
      new Set(['409 INVOICE_ALREADY_EXISTS']),
    );
  });

  it('refuses what is not confirmed, not known, not valid or not its own', async () => {
    const shop = await house.openShop();
    const { body: pending } = await house.order(shop);
    const { transactionId } = await orderOnHold(house, shop);

    const results = [
      await create(shop, pending.transactionId),
      await create(shop, randomUUID()),
      await create({ ...shop, caller: wholesaler() }, transactionId),
      await create(shop, transactionId, { ...INVOICE, discount: 120.01 }),
      await create(shop, transactionId, { discount: 0, products: [{ product: [], quantity: 0 }] }),
      await read(shop, transactionId),
      await read({ ...shop, caller: wholesaler() }, transactionId),
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
