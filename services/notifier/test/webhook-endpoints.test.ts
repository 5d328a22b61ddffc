import { randomUUID } from 'node:crypto';
import { provider, wholesaler } from '@fiado/chassis/testing/callers';
import { startNotifier, type Notifier } from './support/notifier';
import { startPublishingServices, type PublishingServices } from './support/publishing-services';
import { createEndpoint, endpointOf, ENDPOINTS_PATH } from './support/webhooks';

const URL = 'http://127.0.0.1:4000/hook';
let services: PublishingServices;
let notifier: Notifier;

beforeAll(async () => {
  services = await startPublishingServices();
  notifier = await startNotifier(services.environment);
});
afterAll(async () => {
  await notifier.stop();
  await services.stop();
});
beforeEach(() => {
  services.told.length = 0;
  services.hanging.clear();
});

const create = (caller = wholesaler(), body: object = { url: URL }, headers = {}) =>
  notifier.call(caller, 'POST', ENDPOINTS_PATH, { body, headers });
const storedEndpoints = async (ownerId: string) =>
  (await notifier.rows('SELECT 1 FROM webhook_endpoints WHERE owner_id = $1', [ownerId])).length;

describe('POST /v1/webhook-endpoints', () => {
  test('answers with the secret, once, when all services publish the owner’s events', async () => {
    const caller = wholesaler();
    const { status, body } = await create(caller);
    expect(status).toBe(201);
    const { secret, ...endpoint } = body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toEqual({
      webhookEndpointId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: URL,
      events: ['*'],
      description: null,
      ordered: false,
      signatures: ['v1'],
      publicKey: null,
      state: 'enabled',
      disabledReason: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(services.told).toHaveLength(3);
    expect((await endpointOf(notifier, caller, body.webhookEndpointId)).body).toEqual(endpoint);
  });

  test('is a 503 and makes nothing while a service does not answer', async () => {
    const caller = wholesaler();
    services.hanging.add('payments');
    const { status, body } = await create(caller);
    expect([status, body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await storedEndpoints(caller.id)).toBe(0);
  });

  test('makes one endpoint for an Idempotency-Key, and keeps its secret sealed', async () => {
    const caller = wholesaler();
    const key = { 'idempotency-key': randomUUID() };
    const [first, second] = [
      await create(caller, undefined, key),
      await create(caller, undefined, key),
    ];
    expect(second.text).toBe(first.text);
    expect(await storedEndpoints(caller.id)).toBe(1);
    const rows = await notifier.rows(
      `SELECT k.body, s.sealed::text, e::text FROM idempotency_keys k, webhook_secrets s
         JOIN webhook_endpoints e ON e.id = endpoint_id`,
    );
    expect(JSON.stringify(rows)).not.toContain(first.body.secret.slice('whsec_'.length, 20));
  });

  test('ten requests at once by an owner of nine endpoints make one', async () => {
    const caller = wholesaler();
    for (let i = 0; i < 9; i += 1) await createEndpoint(notifier, caller, { url: URL });
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(caller)));
    const codes = answers.map(({ status, body }) => body.errorCode ?? status);
    expect(codes.filter((code) => code === 201)).toHaveLength(1);
    expect(codes.filter((code) => code === 'WEBHOOK_ENDPOINT_LIMIT_REACHED')).toHaveLength(9);

    const { body } = await notifier.call(caller, 'GET', ENDPOINTS_PATH);
    const [first] = body.webhookEndpoints;
    const path = `${ENDPOINTS_PATH}/${first.webhookEndpointId}`;
    expect((await notifier.call(caller, 'DELETE', path)).status).toBe(204);
    expect((await create(caller)).status).toBe(201);
  });

  test.each([
    [{}, 'url'],
    [{ url: URL, events: [] }, 'events'],
    [{ url: URL, events: ['lottery.won'] }, 'events'],
    [{ url: URL, events: ['*', '*'] }, 'events'],
    [{ url: URL, signatures: ['v1a'] }, 'signatures'],
    [{ url: URL, ordered: 'yes' }, 'ordered'],
    [{ url: URL, secret: 'mine' }, 'secret'],
    [{ url: 5 }, 'url'],
  ])('%j is a 400', async (body, field) => {
    const answer = await create(wholesaler(), body);
    expect(answer.status).toBe(400);
    expect(answer.body.message.join()).toContain(field);
  });
});

test('a provider has endpoints of its own', async () => {
  const caller = provider('Banco');
  const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: URL });
  expect((await endpointOf(notifier, caller, webhookEndpointId)).status).toBe(200);
  expect(services.told.at(-1)?.settings).toMatchObject({ ownerKind: 'payment-provider' });
});

test('PUT changes what it names', async () => {
  const caller = wholesaler();
  const made = await createEndpoint(notifier, caller, { url: URL, events: ['payment.*'] });
  const path = `${ENDPOINTS_PATH}/${made.webhookEndpointId}`;
  const put = (body: object) => notifier.call(caller, 'PUT', path, { body });

  const changed = await put({ ordered: true, description: 'ERP', state: 'paused' });
  expect(changed.body).toMatchObject({
    url: URL,
    events: ['payment.*'],
    ordered: true,
    description: 'ERP',
    state: 'paused',
  });
  const signed = await put({ signatures: ['v1', 'v1a'] });
  expect(signed.body).toMatchObject({ signatures: ['v1', 'v1a'], state: 'paused' });
  expect(signed.body.publicKey).toMatch(/^whpk_/);
  expect((await put({ signatures: ['v1'] })).body.publicKey).toBeNull();
  expect((await put({ state: 'disabled' })).status).toBe(400);
});

test('another owner’s endpoint does not exist', async () => {
  const { webhookEndpointId } = await createEndpoint(notifier, wholesaler(), { url: URL });
  const path = `${ENDPOINTS_PATH}/${webhookEndpointId}`;
  const calls = [
    ['GET', path],
    ['PUT', path],
    ['DELETE', path],
    ['POST', `${path}/test`],
    ['POST', `${path}/rotate-secret`],
    ['POST', `${path}/replay`, { from: '2026-01-01', to: '2026-02-01' }],
    ['GET', `${path}/deliveries`],
    ['GET', `${path}/deliveries/${randomUUID()}`],
    ['POST', `${path}/deliveries/${randomUUID()}/resend`],
  ] as const;
  for (const [method, path_, body] of calls) {
    const options = method === 'POST' || method === 'PUT' ? { body: body ?? {} } : {};
    for (const stranger of [wholesaler(), provider('Banco')]) {
      const answer = await notifier.call(stranger, method, path_, options);
      expect([method, path_, answer.status, answer.body.errorCode]).toEqual([
        method,
        path_,
        404,
        'WEBHOOK_ENDPOINT_NOT_FOUND',
      ]);
    }
  }
});

test('lists the event types of the caller’s kind', async () => {
  const typesOf = async (caller = wholesaler()) =>
    (await notifier.call(caller, 'GET', '/v1/event-types')).body.eventTypes.map(
      ({ type }: { type: string }) => type,
    );
  expect(await typesOf()).toContain('transaction.created');
  expect(await typesOf(provider('Banco'))).toEqual([
    'deposit.applied',
    'deposit.unmatched',
    'deposit.reversed',
    'deposit.reversal-refused',
    'endpoint.disabled',
    'endpoint.test',
  ]);
});
