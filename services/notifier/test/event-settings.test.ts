import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ops, provider, wholesaler } from '@fiado/shared/testing/callers';
import { startNotifier, type Notifier } from './support/notifier';

/** What each of the three services was told, and which of them hang. */
const told: Array<{ path: string | undefined; settings: unknown }> = [];
const hanging = new Set<Server>();
let services: Server[];
let notifier: Notifier;

beforeAll(async () => {
  services = await Promise.all([1, 2, 3].map(() => startService()));
  const [accounts, transactions, payments] = services.map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  notifier = await startNotifier({
    ACCOUNTS_URL: accounts ?? '',
    TRANSACTIONS_URL: transactions ?? '',
    PAYMENTS_URL: payments ?? '',
  });
});
afterAll(async () => {
  await notifier.stop();
  for (const server of services) server.closeAllConnections();
  for (const server of services) server.close();
});
beforeEach(() => {
  told.length = 0;
  hanging.clear();
});

async function startService(): Promise<Server> {
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      if (hanging.has(server)) return;
      told.push({ path: req.url, settings: JSON.parse(body) });
      res.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const put = (caller: Parameters<Notifier['call']>[0], body: unknown) =>
  notifier.call(caller, 'PUT', '/v1/events/settings', { body });

it('is answered when all services that publish events know', async () => {
  const caller = wholesaler();
  const answer = await put(caller, { enabled: true });

  expect([answer.status, answer.text]).toEqual([200, '{"enabled":true}']);
  const settings = { ownerId: caller.id, ownerKind: 'wholesaler', enabled: true };
  expect(told).toEqual(services.map(() => ({ path: '/internal/event-settings', settings })));
  const of = provider('Pagos del Centro');
  expect((await put(of, { enabled: false })).text).toBe('{"enabled":false}');
  expect(told.at(-1)?.settings).toEqual({
    ownerId: of.id,
    ownerKind: 'payment-provider',
    enabled: false,
  });
});

it('is a 503 with Retry-After while one of them does not answer', async () => {
  hanging.add(services[1] as Server);
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
  expect(told).toEqual([]);
});
