import { inFlight, interleaved } from '@fiado/shared/testing/in-flight';
import { verify } from './support/month';
import {
  buyAndPay,
  codeIn,
  confirm,
  createProvider,
  createStore,
  createWholesaler,
  deliver,
  order,
  pay,
  seeCreditBack,
} from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();
afterEach(() => system.untilReady());

it('a corner store buys on credit, is delivered, pays, and has its credit back', async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);

  await buyAndPay(system, { wholesaler, provider, store });
});

it('completes an order while payments and notifier are killed', async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);

  system.kill('notifier');
  const ordered = await order(system, wholesaler, store);
  await confirm(system, wholesaler, ordered, codeIn(await system.sms(store.phone, 'order-code')));
  system.kill('payments');
  await deliver(system, wholesaler, ordered.transactionId);
  const paying = pay(system, wholesaler, provider, ordered.transactionId);
  await paying;
  system.kill('payments');

  await seeCreditBack(system, wholesaler, store, ordered.transactionId);
  expect(system.output()).toMatch(/notifier .*restarting in/);
});

it('accepts orders while accounts is down', async () => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  await order(system, wholesaler, store);

  system.kill('accounts');
  await order(system, wholesaler, store);
});

it('accepts exactly 100 of 300 parallel orders on a line of 10,000 through the gateway', async () => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const body = {
    cornerStoreId: store.cornerStoreId,
    totalAmount: 100,
    products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
  };

  const answers = await inFlight(
    Array.from(
      { length: 300 },
      () => () => system.call(wholesaler.key, 'POST', '/transaction', { body }),
    ),
  );

  const outcomes = answers.map(({ status, body: answer }) => `${status} ${answer.errorCode}`);
  expect(outcomes.filter((outcome) => outcome === '201 undefined')).toHaveLength(100);
  expect(outcomes.filter((outcome) => outcome === '422 CREDIT_LIMIT_EXCEEDED')).toHaveLength(200);
});

it('accepts exactly 100 of 1,000 parallel orders, batch items and links, and balances reconcile', async () => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const post = (path: string, body: object) => system.call(wholesaler.key, 'POST', path, { body });
  const one = {
    cornerStoreId: store.cornerStoreId,
    totalAmount: 100,
    products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
  };
  const ten = Array.from({ length: 10 }, () => ({ ...one, metadata: {} }));

  const answers = await inFlight(
    interleaved(
      Array.from({ length: 300 }, () => () => post('/transaction', one)),
      Array.from(
        { length: 40 },
        () => () => post('/transaction/batch', { driverId: 'd', transactions: ten }),
      ),
      Array.from(
        { length: 300 },
        () => () => post(`/link/external/${store.externalId}`, { transaction: one }),
      ),
    ),
  );

  const outcomes = answers.flatMap(({ status, body }) =>
    Array.isArray(body) ? body.map((item) => item.status === 'accepted') : [status === 201],
  );
  expect(outcomes).toHaveLength(1000);
  expect(outcomes.filter(Boolean)).toHaveLength(100);
  expect(await verify(system)).toEqual({ ok: true, broken: [] });
});
