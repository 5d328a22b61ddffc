import { randomUUID } from 'node:crypto';
import { paymentApplied } from '@fiado/shared/contracts/jobs/payment-applied';
import { orderOnHold, startHouse, type House } from './support/house';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.stop());

describe('payment.applied', () => {
  it('gives the principal back to the line once, and ends a transaction paid in full', async () => {
    const shop = await house.openShop();
    const { transactionId } = await orderOnHold(house, shop);
    await house.call(shop.caller, 'PUT', `/v1/transaction/${transactionId}`, {
      body: { status: 'delivery', transactionAmount: 1000 },
    });
    const payment = {
      paymentId: randomUUID(),
      transactionId,
      cornerStoreId: shop.cornerStoreId,
      principalCents: 60_000,
      outstandingCents: 40_000,
      outstandingPrincipalCents: 40_000,
      appliedAt: new Date().toISOString(),
    };
    const rest = {
      ...payment,
      paymentId: randomUUID(),
      principalCents: 40_000,
      outstandingCents: 0,
      outstandingPrincipalCents: 0,
    };
    const receivable = randomUUID();

    // The newer payment arrives first; each is then delivered once more.
    const [newer, older] = [randomUUID(), randomUUID()];
    await house.deliver(paymentApplied, { id: receivable, version: 3 }, rest, newer);
    await house.deliver(paymentApplied, { id: receivable, version: 2 }, payment, older);
    await house.context.queues
      .queue('transactions')
      .getJob(newer)
      .then((job) => job?.remove());
    await house.deliver(paymentApplied, { id: receivable, version: 3 }, rest, newer);

    expect(await house.usedCents(shop.cornerStoreId)).toBe(0);
    expect(await house.statusOf(shop, transactionId)).toBe('paid');
    await house.checkLedger();
  });
});
