import { ops, provider, wholesaler } from '@fiado/shared/testing/callers';
import { startNotifier, type Notifier } from './support/notifier';
import { startPublishingServices, type PublishingServices } from './support/publishing-services';

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

const put = (caller: Parameters<Notifier['call']>[0], body: unknown) =>
  notifier.call(caller, 'PUT', '/v1/events/settings', { body });

it('is answered when all services that publish events know', async () => {
  const caller = wholesaler();
  const answer = await put(caller, { enabled: true });

  expect([answer.status, answer.text]).toEqual([200, '{"enabled":true}']);
  const settings = { ownerId: caller.id, ownerKind: 'wholesaler', enabled: true };
  const path = '/internal/event-settings';
  expect(services.told).toEqual([1, 2, 3].map(() => ({ path, settings })));
  const of = provider('Pagos del Centro');
  expect((await put(of, { enabled: false })).text).toBe('{"enabled":false}');
  expect(services.told.at(-1)?.settings).toEqual({
    ownerId: of.id,
    ownerKind: 'payment-provider',
    enabled: false,
  });
});

it('is a 503 with Retry-After while one of them does not answer', async () => {
  services.hanging.add('transactions');
  const answer = await put(wholesaler(), { enabled: true });

  expect([answer.status, answer.body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});

it('refuses a bad body, ops, and a key without the scope', async () => {
  for (const body of [{}, { enabled: 'yes' }, { enabled: true, extra: 1 }]) {
    expect((await put(wholesaler(), body)).status).toBe(400);
  }
  expect((await put(ops(), { enabled: true })).status).toBe(403);
  const reader = { ...wholesaler(), scopes: ['webhooks:read' as const] };
  expect((await put(reader, { enabled: true })).status).toBe(403);
  expect(services.told).toEqual([]);
});
