import { rowsOfAll } from '@fiado/chassis/testing/all-pages';
import { waitFor } from './support/api';
import { sharedSystem } from './support/shared-system';
import {
  buyAndPay,
  codeIn,
  confirm,
  createProvider,
  createStore,
  createWholesaler,
  deliver,
  order,
} from './support/story';

const system = sharedSystem();
afterEach(() => system.untilReady());

const PRODUCTS = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }];

interface Entry {
  entryId: string;
  service: string;
  type: string;
  subjectId: string | null;
  details: Record<string, unknown>;
}

/** Every entry of a store's timeline, in small pages. */
function timelineOf(cornerStoreId: string): Promise<Entry[]> {
  return rowsOfAll('entries', async (cursor) => {
    const path = `/admin/corner-stores/${cornerStoreId}/timeline?limit=3${cursor}`;
    const page = await system.call(system.opsKey, 'GET', path);
    expect(page.body.missing).toEqual([]);
    return page;
  });
}

it('the timeline of a store has what all services know of it, each once and newest first', async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const store = await createStore(system, wholesaler);
  await buyAndPay(system, { wholesaler, provider, store });
  const refused = await system.call(wholesaler.key, 'POST', '/transaction', {
    body: { cornerStoreId: store.cornerStoreId, totalAmount: 99_999, products: PRODUCTS },
  });
  expect(refused.body.errorCode).toBe('CREDIT_LIMIT_EXCEEDED');

  const told = [
    'customer.imported',
    'corner-store.approved',
    'order.created',
    'message.requested',
    'order.confirmed',
    'order.delivered',
    'debt.opened',
    'payment.applied',
    'credit.repaid',
    'request.refused',
  ];
  const entries = await waitFor(async () => {
    const found = await timelineOf(store.cornerStoreId);
    return told.every((type) => found.some((entry) => entry.type === type)) ? found : undefined;
  });
  expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length);
  const positions = [
    'request.refused',
    'payment.applied',
    'debt.opened',
    'order.confirmed',
    'order.created',
  ].map((type) => entries.findIndex((entry) => entry.type === type));
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  expect(new Set(entries.map(({ service }) => service))).toEqual(
    new Set(['accounts', 'transactions', 'payments', 'notifier']),
  );
  expect(JSON.stringify(entries)).not.toContain(store.phone.slice(1));
  expect(entries.find(({ type }) => type === 'request.refused')?.details).toMatchObject({
    operation: 'createTransaction',
    errorCode: 'CREDIT_LIMIT_EXCEEDED',
  });

  const overview = await system.call(
    system.opsKey,
    'GET',
    `/admin/corner-stores/${store.cornerStoreId}`,
  );
  expect(overview.body).toMatchObject({
    cornerStore: {
      cornerStoreId: store.cornerStoreId,
      status: 'approved',
      phoneNumber: store.phone,
    },
    credit: { creditLimit: 10_000, used: 0, available: 10_000 },
    debts: { openDebts: 0, amountDue: 0 },
    missing: [],
  });
});

it('an order is found by its ids, its references and its store', async () => {
  const wholesaler = await createWholesaler(system);
  const store = await createStore(system, wholesaler);
  const ordered = await order(system, wholesaler, store);
  await confirm(system, wholesaler, ordered, codeIn(await system.sms(store.phone, 'order-code')));
  await deliver(system, wholesaler, ordered.transactionId);
  const path = `/transaction/${ordered.transactionId}/payment`;
  const payment = await waitFor(async () => {
    const answer = await system.call(wholesaler.key, 'GET', path);
    return answer.status === 200 ? answer.body : undefined;
  });
  const find = async (q: string) => {
    const { body } = await system.call(system.opsKey, 'POST', '/admin/search', { body: { q } });
    return body.hits.map((hit: { matchedBy: string; id: string }) => `${hit.matchedBy} ${hit.id}`);
  };
  expect(await find(ordered.transactionId)).toEqual([`id ${ordered.transactionId}`]);
  expect(await find(payment.idFactura)).toContain(`idFactura ${ordered.transactionId}`);
  expect(await find(payment.numeroReferencia)).toContain(`numeroReferencia ${store.cornerStoreId}`);
  expect(await find(store.externalId)).toEqual([`externalId ${store.cornerStoreId}`]);
  expect(await find(store.phone)).toEqual([`phoneNumber ${store.cornerStoreId}`]);
  expect(await find('nothing-has-this')).toEqual([]);
});
