import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '@fiado/chassis/testing/call';
import { until } from '@fiado/chassis/testing/until';
import { openConnection } from './support/raw-connection';
import { recordingLogger } from './support/recording-logger';
import { KEY, startTestGateway, type TestGateway } from './support/test-gateway';

let gateway: TestGateway;
const { log, lines } = recordingLogger();
beforeAll(async () => {
  gateway = await startTestGateway({ log });
});
afterAll(() => gateway.stop());

describe('a request that is not valid HTTP', () => {
  const head = `Host: x\r\nAuthorization: ${KEY}\r\n`;
  it.each([
    ['garbage', 'what is this\r\n\r\n'],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001'],
    [
      'two lengths',
      `POST /v1/transaction HTTP/1.1\r\n${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    [
      'a length and chunks',
      `POST /v1/transaction HTTP/1.1\r\n${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunks and another encoding after them',
      `POST /v1/transaction HTTP/1.1\r\n${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    ['a folded header', `GET /v1/transaction HTTP/1.1\r\n${head}X-A: 1\r\n  2\r\n\r\n`],
    [
      'a bare line feed in a header',
      `GET /v1/transaction HTTP/1.1\r\n${head}X-A: 1\nX-B: 2\r\n\r\n`,
    ],
    ['a space before the colon', `GET /v1/transaction HTTP/1.1\r\n${head}X-A : 1\r\n\r\n`],
    ['a NUL in a header', `GET /v1/transaction HTTP/1.1\r\n${head}X-A: \u0000\r\n\r\n`],
    [
      'a bad chunk',
      `POST /v1/transaction HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
  ])('(%s) gets a 400 in JSON and is closed', async (_what, text) => {
    const connection = await openConnection(gateway.url);
    connection.write(text);
    const answer = await connection.closed();

    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
    expect(answer).toContain('"errorCode":"MALFORMED_REQUEST"');
    expect(answer).toMatch(/X-Request-Id: [0-9a-f-]{36}/);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('for its large headers gets a 431', async () => {
    const connection = await openConnection(gateway.url);
    connection.write(`GET /v1/transaction HTTP/1.1\r\n${head}X-A: ${'a'.repeat(20_000)}\r\n\r\n`);

    const answer = await connection.closed();
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"errorCode":"HEADERS_TOO_LARGE"');
  });

  it('does not reach a service, nor do the bytes after it', async () => {
    const before = gateway.seenBy('transactions').length;
    const connection = await openConnection(gateway.url);
    connection.write(
      `POST /v1/transaction HTTP/1.1\r\n${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `0\r\n\r\nGET /v1/transaction HTTP/1.1\r\n${head}\r\n`,
    );
    await connection.closed();
    expect(gateway.seenBy('transactions')).toHaveLength(before);
  });
});

it('a request that has not arrived after 15 seconds gets a 408 and is closed', async () => {
  const connection = await openConnection(gateway.url);
  connection.write(
    `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
      'Expect: 100-continue\r\nContent-Length: 9\r\n\r\n{',
  );
  await connection.received('100 Continue');
  gateway.advance(14_000);
  await sleep(1_000);
  gateway.advance(1_000);
  const answer = await connection.closed();
  expect(answer).toMatch(/HTTP\/1\.1 408 /);
  expect(answer).toContain('"errorCode":"REQUEST_TIMEOUT"');
});

it('no byte in a path or header makes a 5xx', async () => {
  for (let byte = 0; byte < 256; byte++) {
    const char = String.fromCharCode(byte);
    for (const text of [
      `GET /v1/transaction/a${char}b?c=${char} HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\nConnection: close\r\n\r\n`,
      `GET /v1/transaction HTTP/1.1\r\nHost: x\r\nX-A: a${char}b\r\nAuthorization: ${KEY}\r\nConnection: close\r\n\r\n`,
    ]) {
      const connection = await openConnection(gateway.url);
      connection.write(Buffer.from(text, 'latin1'));
      const answer = await connection.received('HTTP/1.1 ');
      expect(`${byte}: ${answer.slice(9, 12)}`).toMatch(/: [24]\d\d$/);
      connection.destroy();
    }
  }
});

it('requests in a pipeline are answered in their order', async () => {
  const connection = await openConnection(gateway.url);
  const request = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n\r\n`;
  connection.write(
    request('/v1/transaction') + request('/v1/nothing') + request('/v1/admin/messages'),
  );
  const text = await connection.received('{"from":"notifier"}');
  connection.destroy();

  expect(text.match(/HTTP\/1\.1 \d+|"from":"\w+"/g)).toEqual([
    'HTTP/1.1 200',
    '"from":"transactions"',
    'HTTP/1.1 404',
    'HTTP/1.1 200',
    '"from":"notifier"',
  ]);
});

it('each request is one log line with caller, route and outcome, and nothing that the caller sent', async () => {
  lines().length = 0;
  await gateway.call('GET', '/v1/transaction/external/secret-path?secret-query=1', {
    headers: { 'x-request-id': 'r-1', 'x-secret': 'secret-header' },
  });
  await sleep(20);

  expect(lines()).toHaveLength(1);
  expect(JSON.parse(lines()[0] ?? '')[0]).toEqual({
    requestId: 'r-1',
    method: 'GET',
    route: '/v1/transaction/external/**',
    upstream: 'transactions',
    status: 200,
    ms: expect.any(Number),
    callerKind: 'wholesaler',
    callerId: gateway.callers.get(KEY)?.id,
  });
  expect(lines()[0]).not.toMatch(/secret/);
});

it('metrics count forwarded requests by upstream, and credential checks', async () => {
  await gateway.call('GET', '/v1/transaction');
  const { status, text } = await gateway.call('GET', '/metrics', { key: undefined });

  expect(status).toBe(200);
  expect(text).toMatch(
    /fiado_gateway_forward_duration_seconds_count\{upstream="transactions",outcome="answered"\} \d/,
  );
  expect(text).toMatch(/fiado_gateway_credential_lookups_total\{outcome="hit"\} \d/);
});

describe('/metrics', () => {
  it('is beside the API in a sandbox', async () => {
    expect((await gateway.call('GET', '/metrics', { key: undefined })).status).toBe(200);
  });

  const production = {
    FIADO_MODE: 'production',
    LENDER_NAME: 'Financiera del Barrio',
    SUPPORT_PHONE: '55 1234 5678',
    PRIVACY_URL: 'https://lender.example.com/privacidad',
  };
  it.each([production, { FIADO_MODE: 'sandbox', HOST: '0.0.0.0' }])(
    'is nowhere without a port of its own where others reach the gateway: %j',
    async (config) => {
      const other = await startTestGateway({ config });
      try {
        expect((await other.call('GET', '/metrics', { key: undefined })).status).toBe(404);
      } finally {
        await other.stop();
      }
    },
  );

  it('is on its own port and not beside the API where there is one', async () => {
    const other = await startTestGateway({ config: { METRICS_PORT: '0' } });
    try {
      const own = `http://127.0.0.1:${other.server.metricsPort}`;
      await sleep(1_000);
      const { status, text } = await send(`${own}/metrics`, 'GET', undefined, {});

      expect(status).toBe(200);
      expect(text).toMatch(
        /^fiado_build_info\{service="gateway",version="[\d.]+",node="[\d.]+"\} 1$/m,
      );
      expect(text).toMatch(/^fiado_ready 1$/m);
      expect((await other.call('GET', '/metrics', { key: undefined })).status).toBe(404);
      expect((await send(`${own}/v1/transaction`, 'GET', undefined, {})).status).toBe(404);
    } finally {
      await other.stop();
    }
  });

  it('shows unavailable services and requests in flight', async () => {
    const busy = await startTestGateway();
    try {
      let release = (): void => undefined;
      busy.upstreams.transactions.answer = (_req, res) => (release = () => res.end('{}'));
      const running = busy.call('GET', '/v1/transaction');
      await until('the service has it', () => busy.seenBy('transactions').length === 1);
      const { text } = await busy.call('GET', '/metrics', { key: undefined });
      release();
      await running;

      const upstream = 'fiado_gateway_upstream';
      expect(text).toContain(`${upstream}_requests{upstream="transactions",state="running"} 1\n`);
      expect(text).toContain(`${upstream}_requests{upstream="accounts",state="running"} 0\n`);
      expect(text).toContain(`${upstream}_instances{upstream="accounts",state="in-turn"} 1\n`);
      expect(text).toContain(`${upstream}_instances{upstream="accounts",state="aside"} 0\n`);
    } finally {
      await busy.stop();
    }
  });
});

describe('a stop', () => {
  it('finishes the request that runs, takes no new one, and closes idle connections', async () => {
    const stopping = await startTestGateway();
    stopping.upstreams.transactions.answer = (_req, res) =>
      void setTimeout(() => res.end('{}'), 300);
    await stopping.call('GET', '/health/live');
    const running = stopping.call('GET', '/v1/transaction');
    await until('the service has it', () => stopping.seenBy('transactions').length === 1);
    const stopped = stopping.stop();
    await sleep(20);
    const late = await stopping.call('GET', '/v1/transaction').catch(() => 'refused');

    expect(late).toBe('refused');
    expect((await running).status).toBe(200);
    await stopped;
  });
});
