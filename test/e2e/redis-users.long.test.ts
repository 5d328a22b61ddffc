import { randomInt, randomUUID } from 'node:crypto';
import { SERVICES } from '@fiado/contracts/process-names';
import { send } from '@fiado/chassis/testing/call';
import { sentJobs } from '@fiado/contracts/testing/job-definitions';
import {
  hasRedisServer,
  startRedisWithUsers,
  type RedisWithUsers,
} from '@fiado/chassis/testing/redis-server';
import type { Client } from 'pg';
import { waitFor } from './support/api';
import {
  buyAndPay,
  createProvider,
  createStore,
  createWholesaler,
  order,
  type Store,
  type Wholesaler,
} from './support/story';
import { startSystem, type System } from './support/system';

const hasRedis = hasRedisServer('no story runs with its users');

let redis: RedisWithUsers;
let system: System;
let owner: Client;

(hasRedis ? describe : describe.skip)('with the users in docker/redis-users.acl', () => {
  beforeAll(async () => {
    redis = await startRedisWithUsers();
    const urls = SERVICES.map((service) => [
      `${service.toUpperCase()}_REDIS_URL`,
      redis.urlOf(service),
    ]);
    system = await startSystem({
      env: {
        REDIS_URL: redis.urlOf('default'),
        QUEUE_PREFIX: 'fiado',
        ...Object.fromEntries(urls),
      },
    });
    owner = await system.connect();
  });
  afterAll(async () => {
    await system?.dispose();
    await redis.stop();
  });

  it('every job of a story that uses all queues of all producers reaches its queue', async () => {
    const wholesaler = await createWholesaler(system);
    const enabled = { body: { enabled: true } };
    await system.call(wholesaler.key, 'PUT', '/events/settings', enabled);
    const store = await createStore(system, wholesaler);
    const provider = await createProvider(system);

    // Codes, words, deliveries, deposits, payments and their events.
    await buyAndPay(system, { wholesaler, provider, store });
    await order(system, wholesaler, await storeInTijuana(wholesaler));
    await resetDeliveryWord(wholesaler, store);
    await enableEndpoint(wholesaler);
    await changeByTwoPeople(store);

    const expected = (await sentJobs()).flatMap(({ producers, queues }) =>
      producers.flatMap((producer) => queues.map((queue) => `${producer} to ${queue}`)),
    );
    await waitFor(async () => ((await waiting()) === 0 ? true : undefined)).catch(() => undefined);
    expect(await denials()).toEqual([]);
    expect(await waiting()).toBe(0);
    expect(await used()).toEqual([...new Set(expected)].toSorted());
    expect(system.output()).not.toContain('NOPERM');
  });
});

/** A store with a time zone of its own, and with a phone that no SMS reaches. */
async function storeInTijuana({ wholesalerId }: Wholesaler): Promise<Store> {
  const phone = `+52550${randomInt(10_000, 99_999)}02`;
  const externalId = randomUUID();
  const customer = {
    externalId,
    firstName: 'Lucía',
    lastNames: 'Ortega',
    phoneNumber: phone,
    creditLimit: 10_000,
    interestRate: 0.05,
    timeZone: 'America/Tijuana',
  };
  const path = `/admin/wholesalers/${wholesalerId}/customers`;
  const body = { customers: [customer] };
  const imported = await system.call(system.opsKey, 'POST', path, { body });
  const { userId, cornerStoreId } = imported.body.customers[0];
  await system.call(system.opsKey, 'POST', `/admin/corner-stores/${cornerStoreId}/approve`);
  return { externalId, phone, userId, cornerStoreId };
}

/** Resets the word of an order, which is audited, and has its invoice issued. */
async function resetDeliveryWord({ key, wholesalerId }: Wholesaler, store: Store): Promise<void> {
  const settings = { confirmationRequired: false };
  const path = `/admin/wholesalers/${wholesalerId}`;
  await system.call(system.opsKey, 'PUT', path, { body: settings });
  const { transactionId } = await waitFor(async () => {
    const made = await order(system, { key, wholesalerId }, store);
    const read = await system.client(key).transactions.get(made.transactionId);
    return read.transactionStatus === 'on-hold' ? made : undefined;
  });
  const reset = `/admin/transactions/${transactionId}/reset-delivery-word`;
  expect((await system.call(system.opsKey, 'POST', reset)).status).toBe(200);
  const taxes = [{ rate: 0.16, type: 'IVA' }];
  const codes = { productKey: '50202306', sku: 'REF-600', unitKey: 'H87' };
  const product = { description: 'Refresco 600 ml', price: 480.5, taxes, ...codes };
  const body = { invoice: { discount: 0, products: [{ product, quantity: 24 }] } };
  const invoice = await system.call(key, 'POST', `/transaction/${transactionId}/invoice`, { body });
  expect(invoice.status).toBe(201);
}

/** Enables a disabled endpoint, which is audited. */
async function enableEndpoint({ key }: Wholesaler): Promise<void> {
  const body = { url: 'http://127.0.0.1:1024/', events: ['transaction.expired'] };
  const made = await system.call(key, 'POST', '/webhook-endpoints', { body });
  expect(made.status).toBe(201);
  const { webhookEndpointId } = made.body;
  const disable = `UPDATE notifier.webhook_endpoints SET state = 'disabled' WHERE id = $1`;
  await owner.query(disable, [webhookEndpointId]);
  const path = `/admin/webhook-endpoints/${webhookEndpointId}/enable`;
  expect((await system.call(system.opsKey, 'POST', path)).status).toBe(200);
}

/** A credit limit, and a reversal that waits for its second person. */
async function changeByTwoPeople({ cornerStoreId }: Store): Promise<void> {
  const [one, other] = [await staff('Ana'), await staff('Beto')];
  const { body } = await system.call(system.opsKey, 'GET', '/admin/deposits');
  const depositId = body.deposits[0].depositId;
  const limit = { creditLimit: 90_000, reason: 'Paga a tiempo' };
  const reversal = { reason: 'El banco lo devolvió' };
  const requested = [
    await system.call(one, 'PUT', `/admin/corner-stores/${cornerStoreId}`, { body: limit }),
    await system.call(one, 'POST', `/admin/deposits/${depositId}/reverse`, { body: reversal }),
  ];
  expect(requested.map(({ status }) => status)).toEqual([202, 202]);
  for (const { body: answer } of requested) {
    const path = `/admin/change-requests/${answer.changeRequestId}`;
    // One that another service asked for travels as a job.
    await waitFor(async () => {
      const approved = await system.call(other, 'POST', `${path}/approve`);
      return approved.status === 200 || undefined;
    });
    await waitFor(async () => {
      const { status } = (await system.call(system.opsKey, 'GET', path)).body;
      return status === 'executed' || undefined;
    });
  }
}

/** @returns the access token of an approver who has just signed in */
async function staff(name: string): Promise<string> {
  const email = `${name}.${randomUUID().slice(0, 8)}@lender.example`;
  const body = { email, name, role: 'approver' };
  const invited = await system.call(system.opsKey, 'POST', '/admin/staff', { body });
  const invitationToken = invited.body.invitationLink.split('/').at(-1);
  const signIn = (step: string, values: object) =>
    send(`${system.baseUrl}/v1/sign-in/${step}`, 'POST', values, {});
  const { sessionToken } = (await signIn('link', { invitationToken })).body;
  return (await signIn('token', { sessionToken })).body.accessToken;
}

/** Commands that Redis denied, with who sent them. */
async function denials(): Promise<string[]> {
  const entries = await redis.asUser('default', (client) => client.call('ACL', 'LOG'));
  return (entries as string[][]).map((entry) => entry.join(' '));
}

/** Jobs in all outboxes that no queue has taken. */
async function waiting(): Promise<number> {
  const counts = SERVICES.map(
    (service) => `SELECT count(*)::int AS n FROM ${service}.outbox WHERE enqueued_at IS NULL`,
  );
  const { rows } = await owner.query(
    `SELECT sum(n)::int AS n FROM (${counts.join(' UNION ALL ')}) c`,
  );
  return rows[0].n;
}

/** Which service has sent jobs to which queue. */
async function used(): Promise<string[]> {
  const sent = SERVICES.map(
    (service) => `SELECT '${service} to ' || queue AS way FROM ${service}.outbox
                   WHERE enqueued_at IS NOT NULL`,
  );
  const { rows } = await owner.query(sent.join(' UNION '));
  return (rows as { way: string }[]).map(({ way }) => way).toSorted();
}
