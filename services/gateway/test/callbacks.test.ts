import { forAllTests } from '../../../test/support/for-all-tests';
import { openConnection } from './support/raw-connection';
import { callerIn, startTestGateway } from './support/test-gateway';

const gateway = forAllTests(startTestGateway);
beforeEach(() => {
  gateway.upstreams.notifier.seen.length = 0;
});

const PATH = '/v1/callbacks/twilio/5d1e0a52-0000-4000-8000-000000000000';
const WEBHOOK = '/v1/callbacks/facturapi/5d1e0a52-0000-4000-8000-000000000000';
const call = (method: string, path: string, body?: string) =>
  gateway.call(method, path, {
    key: undefined,
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': 'c2lnbmF0dXJl',
      'i-twilio-idempotency-token': 'token-1',
      'x-fiado-caller': 'forged',
    },
  });

describe('a callback of Twilio', () => {
  it('reaches the notifier as it was signed, without a credential, vouched for as from outside', async () => {
    const form = 'MessageSid=SM1&MessageStatus=delivered&To=%2B5255';
    const { status } = await call('POST', `${PATH}?try=1`, form);

    expect(status).toBe(200);
    const [seen] = gateway.seenBy('notifier');
    expect(seen).toMatchObject({
      method: 'POST',
      url: `${PATH}?try=1`,
      body: form,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': 'c2lnbmF0dXJl',
        'i-twilio-idempotency-token': 'token-1',
      },
    });
    expect(await callerIn(seen?.headers ?? {}, 'notifier')).toEqual({
      kind: 'callback',
      id: 'twilio',
      name: 'twilio',
      scopes: [],
    });
    expect(gateway.questions()).toBe(0);
  });

  it.each([
    ['GET', PATH],
    ['GET', WEBHOOK],
    ['POST', '/v1/callbacks/facturapi'],
    ['POST', '/v1/callbacks/twilio'],
    ['POST', `${PATH}/more`],
    ['POST', '/v1/callbacks/other/5'],
  ])('is nothing else: %s %s needs a credential', async (method, path) => {
    expect((await call(method, path)).status).toBe(401);
    expect(gateway.seenBy('notifier')).toEqual([]);
  });

  it('has a form of at most 64 kB, with or without a Content-Length', async () => {
    const long = `a=${'x'.repeat(65_535)}`;
    expect((await call('POST', PATH, long.slice(0, 65_536))).status).toBe(200);
    const tooLong = await call('POST', PATH, long);
    expect([tooLong.status, tooLong.body.errorCode]).toEqual([413, 'PAYLOAD_TOO_LARGE']);

    const connection = await openConnection(gateway.url);
    connection.write(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`,
    );
    await connection.received('PAYLOAD_TOO_LARGE');
    connection.destroy();
    expect(gateway.seenBy('notifier')).toHaveLength(1);
  });
});

it('a webhook of Facturapi reaches transactions as it was signed, up to a megabyte', async () => {
  const headers = { 'content-type': 'application/json', 'facturapi-signature': '00ff' };
  const post = (length: number) =>
    gateway.call('POST', WEBHOOK, {
      key: undefined,
      body: `"${'x'.repeat(length - 2)}"`,
      headers,
    });
  expect((await post(1024 * 1024)).status).toBe(200);
  expect((await post(1024 * 1024 + 1)).status).toBe(413);
  const [seen, ...more] = gateway.seenBy('transactions');
  expect([seen?.headers['facturapi-signature'], seen?.body.length, more.length]).toEqual([
    '00ff',
    1024 * 1024,
    0,
  ]);
  expect(await callerIn(seen?.headers ?? {}, 'transactions')).toMatchObject({
    kind: 'callback',
    id: 'facturapi',
  });
});

it('callbacks of one address beyond their rate are refused with 429', async () => {
  // One in two seconds: a busy machine answers more than that.
  const member = await startTestGateway({ config: { RATE_LIMIT_SHARE: '0.001' } });
  const connection = await openConnection(member.url);
  const request = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;
  connection.write(request.repeat(20));
  const answers = await connection.received('RATE_LIMIT_EXCEEDED');
  connection.destroy();

  expect(answers).toMatch(/HTTP\/1\.1 429 [^]*Retry-After: [12]\r\n/);
  expect((await member.call('GET', '/v1/transaction')).status).toBe(200);
  await member.stop();
});
