import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { portOf } from '@fiado/chassis/http/server';
import { TwilioStandIn } from '@fiado/chassis/testing/twilio-stand-in';
import { until } from '@fiado/chassis/testing/until';
import type { SmsFailure } from '../src/messages/outcome.rules';
import { MAX_CALLS, SmsError, type SmsProvider } from '../src/messages/sms-provider';
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

  test('was not reached: TLS without a cipher in common', async () => {
    const server = createTlsServer({}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${portOf(server as never)}`;
    expect(await failureOf(send({ apiBaseUrl: url }))).toEqual({ kind: 'not-reached' });
    server.close();
  });

  test('is not written after it was reported, when a connection is free', async () => {
    twilio.behaviours = ['accept-then-hang'];
    const sms = provider({ timeoutMs: 300, callbackBaseUrl: 'https://fiado.example' });
    const message = { to: PHONE, text: TEXT, validSeconds: 60 };
    // Some of those that wait get the place of one that has timed out before them, but not all of them.
    const calls = Array.from({ length: 4 * MAX_CALLS }, async () => {
      const messageId = randomUUID();
      const { kind } = await failureOf(sms.send({ ...message, messageId }));
      return { messageId, kind };
    });
    const outcomes = await Promise.all(calls);
    twilio.behaviours = ['accept'];
    // It waits for a connection behind them.
    await until('a connection is free', () =>
      sms.send({ ...message, messageId: randomUUID() }).then(
        () => true,
        () => false,
      ),
    );

    const notReached = outcomes.filter(({ kind }) => kind === 'not-reached');
    expect(notReached.length).toBeGreaterThan(0);
    const posted = twilio.posts.map(({ messageId }) => messageId);
    expect(notReached.filter(({ messageId }) => posted.includes(messageId))).toEqual([]);
  });
});

describe('a proxy', () => {
  const NAMES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy'];
  const before = NAMES.map((name) => [name, process.env[name]] as const);
  beforeEach(() => NAMES.forEach((name) => delete process.env[name]));
  afterAll(() => {
    for (const [name, value] of before) if (value !== undefined) process.env[name] = value;
  });

  const UNREACHABLE = 'https://api.twilio.invalid';

  /** What a proxy was told on each connection, when it does this after it was told something. */
  async function failureThrough(variable: string, react: (socket: Socket) => void) {
    const told: string[] = [];
    const [server, address] = await tcpServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => told.push(chunk.toString('latin1').split('\r\n')[0] ?? ''));
      socket.once('data', () => react(socket));
    });
    process.env[variable] = `http://${address}`;
    const failure = await failureOf(send({ apiBaseUrl: UNREACHABLE, timeoutMs: 300 }));
    await new Promise((resolve) => server.close(resolve));
    return { failure, told };
  }

  test.each(['HTTPS_PROXY', 'HTTP_PROXY'])(
    'that %s names makes the connection',
    async (variable) => {
      const { failure, told } = await failureThrough(variable, (socket) =>
        socket.write('HTTP/1.1 200 OK\r\n\r\n', () => socket.once('data', () => socket.destroy())),
      );
      expect(failure).toEqual({ kind: 'not-reached' });
      // After the request to connect, the beginning of a TLS handshake.
      expect(told).toEqual([
        'CONNECT api.twilio.invalid:443 HTTP/1.1',
        expect.stringContaining('\u0016\u0003'),
      ]);
    },
  );

  test.each([
    ['refuses', (socket: Socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')],
    ['closes the connection', (socket: Socket) => socket.end()],
    ['never answers', () => {}],
  ])('that %s is asked once, and leaves the request unsent', async (_reaction, react) => {
    const { failure, told } = await failureThrough('HTTPS_PROXY', react);
    expect(failure).toEqual({ kind: 'not-reached' });
    expect(told).toEqual(['CONNECT api.twilio.invalid:443 HTTP/1.1']);
  });

  test('without a scheme is refused by an error that names the variables', async () => {
    for (const proxy of ['proxy.corp:3128', '10.0.0.1:3128']) {
      process.env.HTTPS_PROXY = proxy;
      await expect(send({ apiBaseUrl: 'https://twilio.invalid' })).rejects.toThrow(
        'HTTPS_PROXY and HTTP_PROXY must be URLs',
      );
    }
  });

  test('is not used for hosts in NO_PROXY, nor for another origin with http', async () => {
    process.env.HTTP_PROXY = 'http://proxy.invalid';
    await send();
    expect(twilio.posts).toHaveLength(1);

    process.env.NO_PROXY = '127.0.0.1';
    const [server, address] = await tcpServer((socket) => socket.destroy());
    const connection = once(server, 'connection');
    expect(await failureOf(send({ apiBaseUrl: `https://${address}` }))).toEqual({
      kind: 'not-reached',
    });
    await connection;
    server.close();
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

  test.each([
    ['breaks off', (socket: Socket) => socket.destroy()],
    ['never ends', () => {}],
  ])('has no answer: one that %s', async (_what, then) => {
    const head = 'HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"sid":';
    const [server, address] = await tcpServer((socket) => {
      socket.once('data', () => socket.write(head, () => then(socket)));
    });
    const failure = await failureOf(send({ apiBaseUrl: `http://${address}`, timeoutMs: 300 }));
    expect(failure).toEqual({ kind: 'no-answer' });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a connection', () => {
  const message = { to: PHONE, text: TEXT, validSeconds: 60 };
  /** A connection is free again in the turn of the event loop that follows the answer. */
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const sendOver = (sms: SmsProvider) => sms.send({ ...message, messageId: randomUUID() });

  test('is used again for the next message, and closed soon after the last', async () => {
    const before = twilio.connections;
    const sms = provider();
    await sendOver(sms);
    await nextTurn();
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
    await nextTurn();
    twilio.behaviours = ['accept-then-reset', 'accept'];
    expect(await failureOf(sendOver(sms))).toEqual({ kind: 'no-answer' });
    expect(twilio.connections - before).toBe(1);
    expect(twilio.posts).toHaveLength(2);
  });

  test('is closed as soon when the server would keep it for ten minutes', async () => {
    const server = createHttpServer({ keepAliveTimeout: 600_000 }, (req, res) => {
      req.resume().on('end', () => res.writeHead(201).end('{"sid":"SM1"}'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const closed = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    await send({ apiBaseUrl: `http://127.0.0.1:${portOf(server)}` });
    await closed;
    server.close();
  });
});
