import type { IncomingHttpHeaders } from 'node:http';
import { startStandIn } from '@fiado/chassis/testing/stand-in';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { waitFor } from './support/api';
import { buyAndPay, createProvider, createStore, createWholesaler } from './support/story';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();
afterEach(() => system.untilReady());

interface ListedEvent {
  type: string;
  data: { transactionStatus?: string; version: number };
}

it('the story of an order is in the list of events, in its order, once they are switched on', async () => {
  const wholesaler = await createWholesaler(system);
  const provider = await createProvider(system);
  const list = () => system.call(wholesaler.key, 'GET', '/events?limit=100');
  const switchOn = (key: string) =>
    system.call(key, 'PUT', '/events/settings', { body: { enabled: true } });

  const buy = async () =>
    buyAndPay(system, { wholesaler, provider, store: await createStore(system, wholesaler) });

  await buy();
  expect((await list()).body).toEqual({ events: [], nextCursor: null });
  expect((await switchOn(wholesaler.key)).body).toEqual({ enabled: true });
  expect((await switchOn(provider.key)).status).toBe(200);

  await buy();
  const events = await waitFor(async () => {
    const listed = (await list()).body.events as ListedEvent[];
    return listed.length === 6 ? listed : undefined;
  });
  const ofOrder = events.filter(({ type }) => type.startsWith('transaction.'));
  expect(ofOrder.map(({ type, data }) => [type, data.transactionStatus, data.version])).toEqual([
    ['transaction.created', 'pending-verification', 1],
    ['transaction.confirmed', 'on-hold', 2],
    ['transaction.delivered', 'delivery', 3],
    ['transaction.paid', 'paid', 4],
  ]);
  const paid = events.find(({ type }) => type === 'payment.applied');
  expect(paid?.data).toMatchObject({ amountDue: 0, status: 'paid', version: 2 });
  const deposits = await system.call(provider.key, 'GET', '/events');
  expect(deposits.body.events).toMatchObject([{ type: 'deposit.applied', data: { valor: 952.2 } }]);
});

it('standardwebhooks and svix verify every event of the story', async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const receiver = await startStandIn(({ headers, body }) => {
    received.push({ headers, body });
    return {};
  });
  try {
    const wholesaler = await createWholesaler(system);
    const { body: endpoint } = await system.call(wholesaler.key, 'POST', '/webhook-endpoints', {
      body: { url: `${receiver.url}/` },
    });
    const store = await createStore(system, wholesaler);
    await buyAndPay(system, { wholesaler, provider: await createProvider(system), store });
    const listed = await waitFor(async () => {
      const { events } = (await system.call(wholesaler.key, 'GET', '/events?limit=100')).body;
      return events.some(({ type }: ListedEvent) => type === 'payment.applied') &&
        received.length >= events.length
        ? (events as { id: string }[])
        : undefined;
    });

    const verifiedBy = (verifier: StandardWebhook | SvixWebhook) =>
      received.map(({ headers, body }) => {
        const event = verifier.verify(body, headers as Record<string, string>) as { id: string };
        return event.id;
      });
    const ids = listed.map(({ id }) => id).sort();
    expect([...new Set(verifiedBy(new StandardWebhook(endpoint.secret)))].sort()).toEqual(ids);
    expect([...new Set(verifiedBy(new SvixWebhook(endpoint.secret)))].sort()).toEqual(ids);
  } finally {
    await receiver.stop();
  }
});
