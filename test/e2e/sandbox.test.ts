import type { Fiado } from '@fiado/client';
import { until } from '@fiado/chassis/testing/until';
import { verify } from './support/month';
import { sharedSystem } from './support/shared-system';
import { createWholesaler } from './support/story';

const system = sharedSystem();
afterEach(() => system.untilReady());

const FAR_AWAY = '2099-01-01T00:00:00Z';
const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];

const order = (fiado: Fiado, { cornerStoreId }: { cornerStoreId: string }) =>
  fiado.transactions.create({ cornerStoreId, totalAmount: 1000, products });

async function deliveredOrder(fiado: Fiado, customer: { cornerStoreId: string }): Promise<string> {
  const { transactionId, verificationId } = await order(fiado, customer);
  await fiado.transactions.confirm(transactionId, verificationId, { errorCode: '123456' });
  const delivery = { status: 'delivery', transactionAmount: 1000 } as const;
  await fiado.transactions.deliver(transactionId, delivery);
  return transactionId;
}

it('an integrator plays the whole story with its own key, and begins anew', async () => {
  const me = system.client((await createWholesaler(system)).key);
  const { externalId, cornerStoreId } = await me.sandbox.createCustomer({
    status: 'approved',
    creditLimit: 5000,
  });
  const { transactionId, verificationId } = await order(me, { cornerStoreId });
  expect(await me.sandbox.code(verificationId)).toBe('123456');
  const { messages } = await me.sandbox.listMessages({ verificationId });
  expect(messages).toMatchObject([{ template: 'order-code', verificationId }]);
  await me.transactions.confirm(transactionId, verificationId, { errorCode: '123456' });
  await me.transactions.deliver(transactionId, { status: 'delivery', transactionAmount: 1000 });

  // At once: payments may not know of the delivery yet.
  expect(await me.sandbox.setClock({ now: FAR_AWAY })).toEqual({
    now: '2099-01-01T00:00:00.000Z',
    expired: 0,
    opened: 1,
    skipped: [],
  });
  await me.transactions.waitFor(transactionId, 'in-payment-default');
  // What travels by event takes a moment.
  const cornerStore = () => me.cornerStores.get(externalId);
  await until('the store is in default', async () => {
    return (await cornerStore()).status === 'in-payment-default';
  });
  await me.sandbox.createDeposit({ transactionId, amount: 58 });
  await until('the deposit is applied', async () => {
    return (await me.payments.get(transactionId)).amountPaid === 58;
  });

  expect(await me.sandbox.reset()).toEqual({ cancelled: 0, cleared: 1, skipped: [] });
  await me.transactions.waitFor(transactionId, 'paid');
  await until('all credit is free', async () => {
    return (await cornerStore()).creditLimitAvailable === 5000;
  });
  expect(await me.sandbox.reset()).toMatchObject({ cleared: 0 });
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});

it('the clock and a reset of one wholesaler leave a shared store and its neighbour alone', async () => {
  const [tenant, neighbour] = [await createWholesaler(system), await createWholesaler(system)];
  const [me, other] = [system.client(tenant.key), system.client(neighbour.key)];
  const own = await me.sandbox.createCustomer();
  const phoneNumber = `+52550${String(Date.now()).slice(-5)}01`;
  const shared = await me.sandbox.createCustomer({ phoneNumber });
  const mine = await order(me, own);
  const ours = await order(me, shared);
  const delivered = await deliveredOrder(me, shared);
  const imported = await system.call(
    system.opsKey,
    'POST',
    `/admin/wholesalers/${neighbour.wholesalerId}/customers`,
    {
      body: {
        customers: [
          {
            externalId: 'suya',
            firstName: 'Lucía',
            lastNames: 'Ortega',
            phoneNumber,
            creditLimit: 0,
            interestRate: 0,
          },
        ],
      },
    },
  );
  expect(imported.body.customers[0].cornerStoreId).toBe(shared.cornerStoreId);
  // At once after the import: transactions may not know that the store is shared.
  const skipped = [shared.cornerStoreId];
  const passed = await me.sandbox.setClock({ now: FAR_AWAY });
  expect(passed).toMatchObject({ expired: 1, opened: 0, skipped });
  const theirs = await order(other, shared);
  expect(await me.sandbox.reset()).toEqual({ cancelled: 0, cleared: 0, skipped });

  const statusOf = async (fiado: Fiado, transactionId: string) =>
    (await fiado.transactions.get(transactionId)).transactionStatus;
  expect(await statusOf(me, mine.transactionId)).toBe('expired');
  expect(await statusOf(me, ours.transactionId)).toBe('pending-verification');
  expect(await statusOf(me, delivered)).toBe('delivery');
  expect(await statusOf(other, theirs.transactionId)).toBe('pending-verification');
  const theirClock = await other.sandbox.setClock({ now: FAR_AWAY });
  expect(theirClock).toMatchObject({ expired: 0, skipped });
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});
