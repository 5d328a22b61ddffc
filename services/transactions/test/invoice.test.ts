import { randomUUID } from 'node:crypto';
import { inFlight } from '@fiado/shared/testing/in-flight';
import { wholesaler } from '@fiado/shared/testing/callers';
import { INVOICE, startFacturapi, type Facturapi } from './support/facturapi';
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

const create = (shop: Shop, id: string, invoice: object = INVOICE) =>
  house.call(shop.caller, 'POST', `/v1/transaction/${id}/invoice`, { body: { invoice } });
const read = (shop: Shop, id: string) =>
  house.call(shop.caller, 'GET', `/v1/transaction/${id}/invoice`);

describe('POST /transaction/{id}/invoice', () => {
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

    const results = await inFlight(
      Array.from({ length: 20 }, () => () => create(shop, transactionId)),
    );

    expect(results.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = results.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.errorCode}`))).toEqual(
      new Set(['409 INVOICE_ALREADY_EXISTS']),
    );
  });

  it('refuses unconfirmed, unknown, invalid and other wholesalers’ orders', async () => {
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
