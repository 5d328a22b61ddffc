import type { ServerResponse } from 'node:http';
import { forAllTests } from '../../../test/support/for-all-tests';
import { openConnection } from './support/raw-connection';
import { serveTransactions } from './support/serve-transactions';
import { callerIn, KEY, startTestGateway, type TestGateway } from './support/test-gateway';

const gateway = forAllTests(startTestGateway);
const { answerWith, seen } = serveTransactions(gateway);

describe('headers of a request', () => {
  it('that only the gateway may set are replaced, whatever their case', async () => {
    await gateway.call('GET', '/v1/transaction', {
      headers: {
        'X-Fiado-Caller': 'forged',
        'x-fiado-anything': 'forged',
        'X-Forwarded-For': '1.2.3.4',
        Forwarded: 'for=1.2.3.4',
        'X-Real-IP': '1.2.3.4',
        Traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        Tracestate: 'vendor=1',
        Baggage: 'user=1',
      },
    });

    const { headers } = seen();
    expect(await callerIn(headers, 'transactions')).toEqual(gateway.callers.get(KEY));
    expect(Object.keys(headers).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'accept-language',
      'connection',
      'host',
      'sec-fetch-mode',
      'user-agent',
      'x-fiado-caller',
      'x-request-id',
    ]);
  });

  it('in their thousands do not displace the token of the caller', async () => {
    const connection = await openConnection(gateway.url);
    connection.write(
      `GET /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
        `${'x:\r\n'.repeat(3_000)}\r\n`,
    );
    await connection.received('transactions');
    connection.destroy();

    expect(await callerIn(seen().headers, 'transactions')).toEqual(gateway.callers.get(KEY));
  });

  it('of the connection stay on it, with those that Connection names', async () => {
    const connection = await openConnection(gateway.url);
    connection.write(
      `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
        'Connection: keep-alive, X-Hop, X-Fiado-Caller\r\nX-Hop: 1\r\nKeep-Alive: timeout=1\r\n' +
        'TE: trailers\r\nUpgrade: h2c\r\nProxy-Authorization: secret\r\nProxy-Connection: close\r\n' +
        'Content-Type: application/json\r\nIdempotency-Key: k-1\r\nContent-Length: 2\r\n\r\n{}',
    );
    await connection.received('transactions');
    connection.destroy();

    expect(Object.keys(seen().headers).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'idempotency-key',
      'x-fiado-caller',
      'x-request-id',
    ]);
    expect(seen()).toMatchObject({ body: '{}', headers: { 'idempotency-key': 'k-1' } });
  });
});

describe('headers of a response', () => {
  it('of the service are passed on, repeated ones too; those of the connection are not', async () => {
    answerWith((_req, res) => {
      res.writeHead(201, {
        Location: '/v1/transaction/1',
        'Set-Cookie': ['a=1', 'b=2'],
        'X-Request-Id': 'of-the-service',
        'X-Fiado-Secret': 's',
        Connection: 'x-hop',
        'X-Hop': '1',
        'Idempotent-Replayed': 'true',
      });
      res.end('{}');
    });
    const { status, headers } = await gateway.call('POST', '/v1/transaction', {
      body: {},
      headers: { 'x-request-id': 'mine' },
    });

    expect(status).toBe(201);
    expect(headers.get('location')).toBe('/v1/transaction/1');
    expect(headers.get('idempotent-replayed')).toBe('true');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(headers.get('x-request-id')).toBe('mine');
    expect([headers.get('x-fiado-secret'), headers.get('x-hop')]).toEqual([null, null]);
  });

  it('come with each byte of the answer, in one piece or in several', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    const long = Buffer.alloc(100_000, bytes);
    const answers: Array<[Buffer, (res: ServerResponse) => void]> = [
      [bytes, (res) => res.writeHead(200, { 'Content-Length': 256 }).end(bytes)],
      [long, (res) => res.writeHead(200, { 'Content-Length': 100_000 }).end(long)],
      [Buffer.concat([bytes, bytes]), (res) => void (res.write(bytes), res.end(bytes))],
    ];
    for (const [expected, answer] of answers) {
      answerWith((_req, res) => answer(res));
      const response = await fetch(`${gateway.url}/v1/transaction`, {
        headers: { authorization: KEY },
      });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(expected);
    }
  });

  it('come with every status, and without a body where there is none', async () => {
    for (const status of [204, 304, 404, 422, 500]) {
      answerWith((_req, res) => {
        res.writeHead(status).end();
      });
      expect((await gateway.call('GET', '/v1/transaction')).status).toBe(status);
    }
  });
});

it('pages ask for TLS alone where the proxy next to the gateway was called over TLS', async () => {
  const behindProxy = await startTestGateway({ config: { TRUSTED_PROXY_HOPS: '1' } });
  const headerOf = async (at: TestGateway, protocol: string) =>
    (await at.call('GET', '/mi', { headers: { 'x-forwarded-proto': protocol } })).headers.get(
      'strict-transport-security',
    );
  expect(await headerOf(behindProxy, 'https')).toBe('max-age=31536000');
  expect(await headerOf(behindProxy, 'https, http')).toBeNull();
  expect(await headerOf(gateway, 'https')).toBeNull();
  await behindProxy.stop();
});
