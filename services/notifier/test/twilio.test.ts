import { randomUUID } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { portOf } from '@fiado/chassis/http/server';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import type { SmsFailure } from '../src/messages/outcome.rules';
import { SmsError, type SmsProvider } from '../src/messages/sms-provider';
import { createTwilioSms, type TwilioOptions } from '../src/messages/twilio';
import { PHONE, TWILIO } from './support/notifier';

let twilio: TwilioStandIn;

beforeAll(async () => {
  twilio = await TwilioStandIn.start();
});
afterAll(() => twilio.stop());
beforeEach(() => twilio.reset());

const TEXT = '042137 es tu clave';

function provider(options: Partial<TwilioOptions> = {}) {
  return createTwilioSms({
    accountSid: TWILIO.TWILIO_ACCOUNT_SID,
    authToken: TWILIO.TWILIO_AUTH_TOKEN,
    sender: { from: TWILIO.TWILIO_FROM },
    apiBaseUrl: twilio.url,
    ...options,
  });
}

function send(options: Partial<TwilioOptions> = {}, validSeconds = 599.9) {
  return provider(options).send({ messageId: randomUUID(), to: PHONE, text: TEXT, validSeconds });
}

/** The error of a refused send, after checking that it contains nothing else. */
async function failureOf(sending: Promise<unknown>): Promise<SmsFailure> {
  const error: unknown = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SmsError);
  expect((error as SmsError).cause).toBeUndefined();
  const told = JSON.stringify(error) + (error as SmsError).message;
  for (const secret of [PHONE, '042137', TWILIO.TWILIO_AUTH_TOKEN]) {
    expect(told).not.toContain(secret);
  }
  return (error as SmsError).failure;
}

/** A TCP server on a free port that treats each connection so. */
async function tcpServer(onSocket: (socket: Socket) => void): Promise<[Server, string]> {
  const server = createServer(onSocket);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [server, `127.0.0.1:${portOf(server as never)}`];
}

describe('the form post', () => {
  test('carries To, From, Body and ValidityPeriod, and the account as basic auth', async () => {
    const { sid } = await send();

    expect(sid).toMatch(/^SM[\da-f]{32}$/);
    const [post] = twilio.posts;
    expect(post?.path).toBe(`/2010-04-01/Accounts/${TWILIO.TWILIO_ACCOUNT_SID}/Messages.json`);
    expect(post?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(post?.headers['user-agent']).toMatch(/^twilio-node\/6\.2\.0 /);
    expect(post?.headers.authorization).toBe(
      `Basic ${Buffer.from(`${TWILIO.TWILIO_ACCOUNT_SID}:${TWILIO.TWILIO_AUTH_TOKEN}`).toString('base64')}`,
    );
    expect(post?.form).toEqual({
      To: PHONE,
      From: TWILIO.TWILIO_FROM,
      Body: TEXT,
      ValidityPeriod: '599',
    });
  });

  test('names the messaging service in place of a number', async () => {
    const messagingServiceSid = `MG${'a'.repeat(32)}`;
    await send({ sender: { messagingServiceSid } });
    expect(twilio.posts[0]?.form).toMatchObject({ MessagingServiceSid: messagingServiceSid });
    expect(twilio.posts[0]?.form).not.toHaveProperty('From');
  });

  test.each([
    [0.2, '1'],
    [90.9, '90'],
    [5_000_000, '36000'],
  ])('a message of use for %s s has a ValidityPeriod of %s', async (validSeconds, period) => {
    await send({}, validSeconds);
    expect(twilio.posts[0]?.form.ValidityPeriod).toBe(period);
  });

  test('names a callback with the id of the message', async () => {
    const messageId = randomUUID();
    await provider({ callbackBaseUrl: 'https://fiado.example' }).send({
      messageId,
      to: PHONE,
      text: TEXT,
      validSeconds: 60,
    });
    expect(twilio.posts[0]?.form.StatusCallback).toBe(
      `https://fiado.example/v1/callbacks/twilio/${messageId}`,
    );
  });
});

describe('an answer other than 2xx', () => {
  test('reports its status and code, and is not retried', async () => {
    twilio.behaviours = [{ refuse: 400, code: 21211 }];
    expect(await failureOf(send())).toEqual({
      kind: 'answered',
      httpStatus: 400,
      providerCode: '21211',
    });
    expect(twilio.posts).toHaveLength(1);
  });

  test('has its own Retry-After, also when others are refused at the same time', async () => {
    twilio.behaviours = [
      { refuse: 429, retryAfter: '1' },
      { refuse: 429 },
      { refuse: 429, retryAfter: new Date(Date.now() + 60_000).toUTCString() },
      { refuse: 503, retryAfter: '4' },
    ];
    const sms = provider();
    const message = { messageId: randomUUID(), to: PHONE, text: TEXT, validSeconds: 60 };
    const failures = await Promise.all(
      Array.from({ length: 4 }, () => failureOf(sms.send(message))),
    );
    const waits = failures.map((one) =>
      one.kind === 'answered' && one.retryAfterSeconds !== undefined
        ? `${one.httpStatus} ${Math.ceil(one.retryAfterSeconds / 10) * 10}`
        : 'none',
    );
    expect(new Set(waits)).toEqual(new Set(['429 10', 'none', '429 60', '503 10']));
    expect(twilio.posts).toHaveLength(4);
  });
});

describe('a request that was not sent', () => {
  test('was not reached: a closed port', async () => {
    const [server, address] = await tcpServer(() => {});
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(send({ apiBaseUrl: `http://${address}` }))).toEqual({
      kind: 'not-reached',
    });
  });

  test('was not reached: a host without an address', async () => {
    expect(await failureOf(send({ apiBaseUrl: 'http://twilio.invalid' }))).toEqual({
      kind: 'not-reached',
    });
  });

  test('was not reached: TLS that ends, or never ends, its handshake', async () => {
    const [resetting, first] = await tcpServer((socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    const [silent, second] = await tcpServer((socket) => socket.on('error', () => {}));
    for (const address of [first, second]) {
      const failure = await failureOf(send({ apiBaseUrl: `https://${address}`, timeoutMs: 300 }));
      expect(failure).toEqual({ kind: 'not-reached' });
    }
    resetting.close();
    silent.close();
  });
});

describe('a request that was written', () => {
  test.each(['accept-then-hang', 'accept-then-reset', 'accept-then-nonsense'] as const)(
    'has no answer: %s',
    async (behaviour) => {
      twilio.behaviours = [behaviour];
      expect(await failureOf(send({ timeoutMs: 300 }))).toEqual({ kind: 'no-answer' });
      expect(twilio.posts).toHaveLength(1);
    },
  );
});

describe('a connection', () => {
  const message = { to: PHONE, text: TEXT, validSeconds: 60 };
  const sendOver = (sms: SmsProvider) => sms.send({ ...message, messageId: randomUUID() });

  test('is used again for the next message, and closed soon after the last', async () => {
    const before = twilio.connections;
    const sms = provider();
    await sendOver(sms);
    await sendOver(sms);
    expect(twilio.connections - before).toBe(1);
    await until('the connection is closed', async () => twilio.openConnections === 0);
    await sendOver(sms);
    expect(twilio.connections - before).toBe(2);
  });

  test('that is reset after a message was written to it again has no answer, and no second try', async () => {
    const before = twilio.connections;
    const sms = provider();
    await sendOver(sms);
    twilio.behaviours = ['accept-then-reset', 'accept'];
    expect(await failureOf(sendOver(sms))).toEqual({ kind: 'no-answer' });
    expect(twilio.connections - before).toBe(1);
    expect(twilio.posts).toHaveLength(2);
  });
});
