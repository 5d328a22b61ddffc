import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { startStandIn, type StandIn, type StandInAnswer } from '@fiado/chassis/testing/stand-in';
import { runCheck } from '../src/program';

const KEY = 'fiado_test_of-a-wholesaler';
const SECRET = `whsec_${Buffer.from('a secret of a receiver').toString('base64')}`;

const received: Array<{ headers: IncomingHttpHeaders; body: string }> = [];
/** Requests that the API got. */
const seen: Array<{ method: string; url: URL; key: string | undefined; body: string }> = [];
/** The next answers of the API to a list of events. */
let pages: object[][];
let settings: StandInAnswer;
let receiver: StandIn;
let api: StandIn;
let url: string;
beforeAll(async () => {
  api = await startStandIn(({ method, path, headers, body }) => {
    const asked = new URL(path, 'http://api');
    seen.push({ method, url: asked, key: headers.authorization, body });
    if (method === 'PUT') return settings;
    return { body: { events: pages.shift() ?? [], nextCursor: null } };
  });
  receiver = await startStandIn(({ headers, body }) => {
    received.push({ headers, body });
    return { status: received.length === 1 ? 204 : 500 };
  });
  url = `${receiver.url}/fiado`;
});
beforeEach(() => (settings = { body: { enabled: true } }));
afterAll(() => api.stop());

/** Runs the command. */
async function listen(...args: string[]) {
  let stdout = '';
  let stderr = '';
  const exitCode = await runCheck(['listen', '--url', `${api.url}/v1`, '--key', KEY, ...args], {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  return { exitCode, stdout, stderr };
}
const event = (n: number) => ({ id: `evt_${n}`, type: 'transaction.created', data: { n } });

it('switches events on, and forwards each new one once, signed as a webhook is', async () => {
  pages = [[], [event(1), event(2)], [event(3)]];
  const ran = await listen('--forward', url, '--secret', SECRET, '--max', '3');

  expect([ran.exitCode, ran.stdout]).toEqual([
    0,
    [
      'transaction.created evt_1: 204',
      'transaction.created evt_2: 500',
      'transaction.created evt_3: 500\n',
    ].join('\n'),
  ]);
  const [first, ...looks] = seen;
  expect([first?.key, first?.body]).toEqual([`Bearer ${KEY}`, '{"enabled":true}']);
  const cursors = looks.map((look) => look.url.searchParams.get('cursor'));
  expect(cursors).toEqual([null, null, 'evt_2']);
  expect(looks[0]?.url.searchParams.get('from')).toMatch(/^\d{4}-/);
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([event(1), event(2), event(3)]);
  for (const { headers, body } of received) {
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const hash = createHmac('sha256', 'a secret of a receiver').update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${hash}`);
  }
});

it('continues while the receiver is down, and prints a secret that it generated', async () => {
  pages = [[event(4)]];
  await receiver.stop();
  const ran = await listen('--forward', url, '--max', '1');
  expect(ran.stdout).toBe('transaction.created evt_4: ECONNREFUSED\n');
  expect(ran.stderr).toMatch(/signing secret: whsec_[A-Za-z0-9+/]{43}=\n$/);
});

it('refuses wrong usage before any request, and ends when the API refuses', async () => {
  const before = seen.length;
  for (const args of [
    [],
    ['--forward', 'ftp://x'],
    ['--forward', url, '--secret', 'abc'],
    ['--forward', url, '--max', '0'],
    ['--forward', url, '--key', 'fiado_live_secret'],
  ]) {
    expect([args, (await listen(...args)).exitCode]).toEqual([args, 2]);
  }
  expect(seen.length).toBe(before);

  const errorCode = 'FORBIDDEN';
  settings = { status: 403, body: { errorCode, errorMessage: 'The key does not allow it' } };
  const refused = await listen('--forward', url);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining(errorCode)]);
});
