import { provider, wholesaler } from '@fiado/chassis/testing/callers';
import { startNotifier, type Notifier } from './support/notifier';
import { startPublishingServices, type PublishingServices } from './support/publishing-services';
import { createEndpoint, ENDPOINTS_PATH } from './support/webhooks';

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
  expect(services.told).toMatchObject([1, 2, 3].map(() => ({ path, settings })));
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

it('refuses a bad body', async () => {
  for (const body of [{}, { enabled: 'yes' }, { enabled: true, extra: 1 }]) {
    expect((await put(wholesaler(), body)).status).toBe(400);
  }
  expect(services.told).toEqual([]);
});

const URL = 'http://127.0.0.1:4000/hook';

it('is a 409 that changes nothing when it would silence webhook endpoints', async () => {
  const caller = wholesaler();
  const { webhookEndpointId } = await createEndpoint(notifier, caller, { url: URL });
  const path = `${ENDPOINTS_PATH}/${webhookEndpointId}`;
  await notifier.call(caller, 'PUT', path, { body: { state: 'paused' } });
  services.told.length = 0;
  const refused = await put(caller, { enabled: false });
  expect([refused.status, refused.body]).toEqual([
    409,
    {
      errorCode: 'WEBHOOK_ENDPOINTS_NEED_EVENTS',
      errorMessage: 'There are webhook endpoints, which need events; delete them first',
    },
  ]);
  expect(services.told).toEqual([]);

  await notifier.call(caller, 'DELETE', path);
  expect((await put(caller, { enabled: false })).status).toBe(200);
  expect(services.told.map(({ settings }) => settings.enabled)).toEqual([false, false, false]);
});

it('never silences an endpoint that is created meanwhile', async () => {
  for (let round = 0; round < 10; round += 1) {
    const caller = wholesaler();
    const [created] = await Promise.all([
      notifier.call(caller, 'POST', ENDPOINTS_PATH, { body: { url: URL } }),
      ...Array.from({ length: 4 }, () => put(caller, { enabled: false })),
    ]);
    if (created.status !== 201) {
      expect(created.status).toBe(503);
      continue;
    }
    const last = new Map(services.told.map(({ service, settings }) => [service, settings]));
    expect([...last.values()]).toEqual(
      [1, 2, 3].map(() => ({ ownerId: caller.id, ownerKind: 'wholesaler', enabled: true })),
    );
  }
});
