import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { startStandIn, type StandIn } from '@fiado/chassis/testing/stand-in';
import { StandInApi, refusal } from './support/stand-in-api';
import { runFiado } from './support/run-fiado';

const KEY = 'fiado_test_of-a-wholesaler';
const SECRET = `whsec_${Buffer.from('a secret of a receiver').toString('base64')}`;

const received: Array<{ headers: IncomingHttpHeaders; body: string }> = [];
let receiver: StandIn;
let api: StandInApi;
let url: string;
beforeAll(async () => {
  api = await new StandInApi().start();
  receiver = await startStandIn(({ headers, body }) => {
    received.push({ headers, body });
    return { status: received.length === 1 ? 204 : 500 };
  });
  url = `${receiver.url}/fiado`;
});
afterAll(() => api.stop());

const listen = (...args: string[]) =>
  runFiado(['listen', ...args, '--base-url', api.url], { API_KEY: KEY });
const event = (n: number) => ({ id: `evt_${n}`, type: 'transaction.created', data: { n } });

it('switches events on, and forwards each new one once, signed as a webhook is', async () => {
  api.on('PUT /v1/events/settings', { body: { enabled: true } });
  const pages = [[], [event(1), event(2)], [event(3)]];
  api.on('GET /v1/events', () => ({ body: { events: pages.shift() ?? [], nextCursor: null } }));

  const ran = await listen('--forward', url, '--secret', SECRET, '--max', '3');

  expect([ran.exitCode, ran.stdout]).toEqual([
    0,
    [
      'transaction.created evt_1: 204',
      'transaction.created evt_2: 500',
      'transaction.created evt_3: 500\n',
    ].join('\n'),
  ]);
  const [settings, ...looks] = api.seen;
  expect([settings?.key, settings?.body]).toEqual([`Bearer ${KEY}`, { enabled: true }]);
  expect(looks.map(({ query }) => query['cursor'])).toEqual([undefined, undefined, 'evt_2']);
  expect(looks[0]?.query['from']).toMatch(/^\d{4}-/);
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([event(1), event(2), event(3)]);
  for (const { headers, body } of received) {
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const hash = createHmac('sha256', 'a secret of a receiver').update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${hash}`);
  }
});

it('continues while the receiver is down, and prints a secret that it generated', async () => {
  api.on('GET /v1/events', { body: { events: [event(4)], nextCursor: null } });
  await receiver.stop();
  const ran = await listen('--forward', url, '--max', '1');
  expect(ran.stdout).toBe('transaction.created evt_4: ECONNREFUSED\n');
  expect(ran.stderr).toMatch(/signing secret: whsec_[A-Za-z0-9+/]{43}=\n$/);
});

it('refuses wrong usage before any request, and ends when the API refuses', async () => {
  const before = api.seen.length;
  for (const args of [
    [],
    ['--forward', 'ftp://x'],
    ['--forward', url, '--secret', 'abc'],
    ['--forward', url, '--max', '0'],
  ]) {
    expect((await listen(...args)).exitCode).toBe(2);
  }
  expect((await runFiado(['listen', '--forward', url], { DATA_DIR: '/nowhere' })).exitCode).toBe(2);
  expect(api.seen.length).toBe(before);

  api.on('PUT /v1/events/settings', refusal(403, 'FORBIDDEN', 'The credential does not allow it'));
  const refused = await listen('--forward', url);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('FORBIDDEN')]);
});
