import type { Answer } from '@fiado/shared/testing/http';
import { waitFor } from './support/api';
import { verify } from './support/month';
import { createWholesaler, type Wholesaler } from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();
afterEach(() => system.untilReady());

const FAR_AWAY = '2099-01-01T00:00:00Z';

interface Customer {
  externalId: string;
  cornerStoreId: string;
}

/** The calls of an integrator with its own key. */
function integratorOf({ key }: Wholesaler) {
  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    system.call(key, method, path, body === undefined ? {} : { body });
  const statusOf = async (transactionId: string): Promise<string> =>
    (await call('GET', `/transaction/${transactionId}`)).body.transactionStatus;
  return {
    call,
    statusOf,
    untilStatus: (transactionId: string, status: string) =>
      waitFor(async () => (await statusOf(transactionId)) === status || undefined),
    customer: async (body: object = {}): Promise<Customer> => {
      const created = await call('POST', '/sandbox/customers', body);
      expect(created.status).toBe(201);
      return created.body;
    },
    order: async ({ cornerStoreId }: Customer) => {
      const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];
      const order = { cornerStoreId, totalAmount: 1000, products };
      const created = await waitFor(async () => {
        const answer = await call('POST', '/transaction', order);
        return answer.status === 201 ? answer : undefined;
      });
      return created.body as { transactionId: string; verificationId: string };
    },
    deliver: async (order: { transactionId: string; verificationId: string }) => {
      const path = `/transaction/${order.transactionId}`;
      const code = { errorCode: '123456' };
      const confirmed = await call('PUT', `${path}/verification/${order.verificationId}`, code);
      expect(confirmed.status).toBe(200);
      const body = { status: 'delivery', transactionAmount: 1000 };
      expect((await call('PUT', path, body)).status).toBe(200);
    },
    credit: async ({ externalId }: Customer): Promise<number> =>
      (await call('GET', `/corner-store/external/${externalId}`)).body.creditLimitAvailable,
  };
}

it('an integrator plays the whole story with its own key, and begins anew', async () => {
  const me = integratorOf(await createWholesaler(system));
  const customer = await me.customer({ creditLimit: 5000 });
  const order = await me.order(customer);
  const { verificationId, transactionId } = order;
  const message = await waitFor(async () => {
    const path = `/sandbox/messages?verificationId=${verificationId}`;
    return (await me.call('GET', path)).body.messages[0];
  });
  expect(message).toMatchObject({ template: 'order-code', verificationId });
  expect(message.body).toMatch(/^123456 es tu clave/);
  await me.deliver(order);

  // At once: payments may not know of the delivery yet.
  const passed = await me.call('POST', '/sandbox/clock', { now: FAR_AWAY });
  expect([passed.status, passed.body]).toEqual([
    200,
    { now: '2099-01-01T00:00:00.000Z', expired: 0, opened: 1, skipped: [] },
  ]);
  await me.untilStatus(transactionId, 'in-payment-default');
  await waitFor(async () => {
    const { body } = await me.call('GET', `/corner-store/external/${customer.externalId}`);
    return body.status === 'in-payment-default' || undefined;
  });
  const deposited = await me.call('POST', '/sandbox/deposits', { transactionId, amount: 58 });
  expect(deposited.status).toBe(201);
  await waitFor(async () => {
    const { body } = await me.call('GET', `/transaction/${transactionId}/payment`);
    return body.amountPaid === 58 || undefined;
  });

  const reset = await me.call('POST', '/sandbox/reset');
  expect([reset.status, reset.body]).toEqual([200, { cancelled: 0, cleared: 1, skipped: [] }]);
  await me.untilStatus(transactionId, 'paid');
  await waitFor(async () => (await me.credit(customer)) === 5000 || undefined);
  expect((await me.call('POST', '/sandbox/reset')).body).toMatchObject({ cleared: 0 });
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});

it('a customer in default is so in every service, and its debt can be paid', async () => {
  const me = integratorOf(await createWholesaler(system));
  const { externalId, cornerStoreId } = await me.customer({ status: 'in-payment-default' });
  const customer = `/corner-store/external/${externalId}`;
  await waitFor(async () => {
    const { body } = await me.call('GET', customer);
    return body.status === 'in-payment-default' || undefined;
  });
  const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }];
  await waitFor(async () => {
    const body = { cornerStoreId, totalAmount: 100, products };
    return (
      (await me.call('POST', '/transaction', body)).body.errorCode === 'USER_IS_IN_DEFAULT' ||
      undefined
    );
  });
  const listed = (await me.call('GET', '/corner-store/default-information')).body;
  expect(listed.paymentDefaults).toMatchObject([{ externalId }]);
  const { transactions } = (await me.call('GET', '/transaction')).body;
  const [{ transactionId }] = transactions;
  await me.untilStatus(transactionId, 'in-payment-default');
  expect(await verify(system)).toEqual({ ok: true, broken: [] });

  const { amountDue } = (await me.call('GET', `/transaction/${transactionId}/payment`)).body;
  await me.call('POST', '/sandbox/deposits', { transactionId, amount: amountDue });
  await waitFor(
    async () => (await me.call('GET', customer)).body.status === 'approved' || undefined,
  );
  await me.untilStatus(transactionId, 'paid');
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});

it('the clock and a reset of one wholesaler leave a shared store and its neighbour alone', async () => {
  const [tenant, neighbour] = [await createWholesaler(system), await createWholesaler(system)];
  const [me, other] = [integratorOf(tenant), integratorOf(neighbour)];
  const own = await me.customer();
  const phoneNumber = `+52550${String(Date.now()).slice(-5)}01`;
  const shared = await me.customer({ phoneNumber });
  const own2 = await me.order(own);
  const mine = await me.order(shared);
  const mineDelivered = await me.order(shared);
  await me.deliver(mineDelivered);
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
  const passed = await me.call('POST', '/sandbox/clock', { now: FAR_AWAY });
  expect(passed.body).toMatchObject({ expired: 1, opened: 0, skipped: [shared.cornerStoreId] });
  const theirs = await other.order({ ...shared, externalId: 'suya' });
  const reset = await me.call('POST', '/sandbox/reset');
  expect(reset.body).toEqual({ cancelled: 0, cleared: 0, skipped: [shared.cornerStoreId] });

  expect(await me.statusOf(own2.transactionId)).toBe('expired');
  expect(await me.statusOf(mine.transactionId)).toBe('pending-verification');
  expect(await me.statusOf(mineDelivered.transactionId)).toBe('delivery');
  expect(await other.statusOf(theirs.transactionId)).toBe('pending-verification');
  expect((await other.call('POST', '/sandbox/clock', { now: FAR_AWAY })).body).toMatchObject({
    expired: 0,
    skipped: [shared.cornerStoreId],
  });
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});
