import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Client } from 'undici';
import { metricsText } from '@fiado/chassis/metrics';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { forAllTests } from '../../../test/support/for-all-tests';
import { openConnection } from './support/raw-connection';
import { serveTransactions } from './support/serve-transactions';
import { KEY, startTestGateway } from './support/test-gateway';

const MEGABYTE = 1_000_000;

const gateway = forAllTests(startTestGateway);
const { answerWith, seen } = serveTransactions(gateway);

describe('bodies', () => {
  it('reach the service as sent, with a length or in chunks', async () => {
    const text = JSON.stringify({ name: 'Año ñandú', filler: 'x'.repeat(200_000) });
    await gateway.call('POST', '/v1/transaction/batch', { body: text });
    expect(seen().body).toBe(text);

    gateway.upstreams.transactions.seen.length = 0;
    const connection = await openConnection(gateway.url);
    connection.write(
      `PUT /v1/transaction/t HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
    );
    await connection.received('transactions');
    connection.destroy();
    expect(seen().body).toBe('{"a":1}');
  });

  it('of a GET are ignored', async () => {
    const connection = await openConnection(gateway.url);
    connection.write(
      `GET /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    await connection.received('transactions');
    connection.destroy();

    expect(seen()).toMatchObject({ body: '' });
    expect(seen().headers['content-length']).toBeUndefined();
  });

  it('are requested with 100 Continue', async () => {
    const connection = await openConnection(gateway.url);
    connection.write(
      `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
        'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n',
    );
    await connection.received('100 Continue');
    connection.write('{}');
    await connection.received('transactions');
    connection.destroy();

    expect(seen()).toMatchObject({ body: '{}' });
    expect(seen().headers.expect).toBeUndefined();
  });

  it('of 5 MB come back whole', async () => {
    const large = randomBytes(2.5 * MEGABYTE).toString('hex');
    answerWith((_req, res) => void res.end(large));
    const { text } = await gateway.call('GET', '/v1/transaction');

    expect(text === large).toBe(true);
  });
});

describe('a body larger than a route of the service takes', () => {
  const refuse = (res: ServerResponse): void => {
    res.writeHead(413, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ errorCode: 'PAYLOAD_TOO_LARGE', errorMessage: 'too large' }));
  };
  const large = Buffer.alloc(2 * MEGABYTE, 'x');

  it.each([
    ['at once', (_req: IncomingMessage, res: ServerResponse) => refuse(res)],
    [
      'after some of it',
      (req: IncomingMessage, res: ServerResponse) => {
        req.once('data', () => {
          req.pause();
          refuse(res);
          // All of the body may be in the buffers of the connection, which then takes the next request.
          res.once('finish', () => req.resume());
        });
      },
    ],
    [
      'after all of it',
      (req: IncomingMessage, res: ServerResponse) => {
        req.resume().on('end', () => refuse(res));
      },
    ],
  ])(
    'is a 413 if the service answers so %s, and the connection stays open',
    async (_when, answer) => {
      answerWith(answer);
      const client = new Client(gateway.url);
      const request = (body: Buffer | string) =>
        client.request({
          method: 'POST',
          path: '/v1/transaction/batch',
          headers: { authorization: KEY },
          body,
        });
      // A client that writes all before it reads, as many do.
      const connection = await openConnection(gateway.url);
      connection.write(
        `POST /v1/transaction/batch HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
          `Content-Length: ${large.length}\r\n\r\n`,
      );
      connection.write(large);
      const answered = await connection.received('PAYLOAD_TOO_LARGE');
      expect(answered).toMatch(/^HTTP\/1\.1 413 /);

      gateway.upstreams.transactions.answer = undefined;
      connection.write(
        `POST /v1/transaction/batch HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\nContent-Length: 2\r\n\r\n{}`,
      );
      await connection.received('{"from":"transactions"}');
      connection.destroy();

      answerWith(answer);
      const { statusCode, body } = await request(large);
      expect([statusCode, await body.json()]).toEqual([
        413,
        { errorCode: 'PAYLOAD_TOO_LARGE', errorMessage: 'too large' },
      ]);
      await client.close();
    },
  );
});

it('a body larger than the gateway takes is a 413 for a client that writes all before it reads', async () => {
  const large = Buffer.alloc(10 * MEGABYTE, 'x');
  const connection = await openConnection(gateway.url);
  connection.write(
    `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
      `Content-Length: ${large.length}\r\n\r\n`,
  );
  connection.write(large);
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/);
  expect(connection.unsent()).toBe(0);
  expect(gateway.seenBy('transactions')).toEqual([]);
});

describe('the body bytes that one credential has in flight', () => {
  const IMAGE_BYTES = 8 * 1024 * 1024;
  /** Takes images. */
  const STEP = '/v1/account/a/verification/b/onboarding';
  const OTHER_KEY = 'fiado_test_the-key-of-a-neighbour';
  /** Requests whose caller sends a head and a first part only. */
  const begun: Array<Awaited<ReturnType<typeof openConnection>>> = [];
  /** Their callers leave. */
  function leave(): void {
    for (const connection of begun.splice(0)) connection.destroy();
  }

  /** Returns once the gateway has begun with the request. */
  async function begin(headers: string, part: string | Buffer, key = KEY) {
    const connection = await openConnection(gateway.url);
    begun.push(connection);
    connection.write(
      `POST ${STEP} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n` +
        `Expect: 100-continue\r\n${headers}\r\n\r\n`,
    );
    await connection.received('100 Continue');
    connection.write(part);
    return connection;
  }

  /** The answer to an order with that key, once it is not refused. */
  async function statusOnce(expected: number, key = KEY): Promise<number> {
    let status = 0;
    for (let tries = 0; tries < 500 && status !== expected; tries += 1) {
      ({ status } = await gateway.call('POST', STEP, { key, body: { a: 1 } }));
    }
    return status;
  }

  it('may be five images and a batch of 2 MB after another', async () => {
    const images = Array.from({ length: 5 }, () =>
      gateway.call('POST', STEP, {
        body: JSON.stringify('x'.repeat(IMAGE_BYTES - 2)),
      }),
    );
    for (const { status } of await Promise.all(images)) expect(status).toBe(200);
    const batch = JSON.stringify('x'.repeat(2 * MEGABYTE));
    expect((await gateway.call('POST', STEP, { body: batch })).status).toBe(200);
  });

  it('are a 429 beyond that, for this credential alone, until its callers have left', async () => {
    gateway.callers.set(OTHER_KEY, wholesaler());
    for (let i = 0; i < 5; i += 1) await begin(`Content-Length: ${IMAGE_BYTES}`, '{');
    expect(await statusOnce(429)).toBe(429);
    const refused = await gateway.call('POST', STEP, { body: { a: 1 } });
    expect(refused.body.errorCode).toBe('RATE_LIMIT_EXCEEDED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await gateway.call('GET', '/v1/transaction')).status).toBe(200);

    const neighbour = await gateway.call('POST', STEP, { key: OTHER_KEY, body: {} });
    expect(neighbour.status).toBe(200);
    leave();
    expect(await statusOnce(200)).toBe(200);
  });

  it('count in chunks too: slow bodies, of two credentials as well, leave connections for others', async () => {
    const thirdKey = 'fiado_test_the-key-of-a-third';
    for (const key of [OTHER_KEY, thirdKey]) gateway.callers.set(key, wholesaler());
    const slow = [KEY, OTHER_KEY].flatMap((key) =>
      Array.from({ length: 40 }, () => begin('Transfer-Encoding: chunked', '3\r\n{"a\r\n', key)),
    );
    await Promise.all(slow);
    expect(await statusOnce(429)).toBe(429);
    expect(await statusOnce(429, OTHER_KEY)).toBe(429);
    expect(await statusOnce(200, thirdKey)).toBe(200);
    leave();
    expect(await statusOnce(200)).toBe(200);
    expect(await statusOnce(200, OTHER_KEY)).toBe(200);
  });

  it('are refused while chunks arrive, which does not count as a failure of the service', async () => {
    const openings = /fiado_breaker_openings_total\{[^}]*"accounts"[^}]*\} (\d+)/;
    const before = openings.exec(await metricsText())?.[1];
    for (let i = 0; i < 4; i += 1) await begin(`Content-Length: ${IMAGE_BYTES}`, '{');
    await begin(`Content-Length: ${MEGABYTE}`, '{');
    const half = Buffer.alloc(IMAGE_BYTES / 2, 'x');
    const large = await begin('Transfer-Encoding: chunked', '');
    const chunk = Buffer.concat([
      Buffer.from(`${half.length.toString(16)}\r\n`),
      half,
      Buffer.from('\r\n'),
    ]);
    for (let i = 0; i < 2; i += 1) large.write(chunk);
    expect(await large.received('RATE_LIMIT_EXCEEDED')).toContain('HTTP/1.1 429 ');
    expect(openings.exec(await metricsText())?.[1]).toBe(before);
    leave();
    expect(await statusOnce(200)).toBe(200);
  });

  it('are a 413 when one body alone is longer', async () => {
    const connection = await begin(`Content-Length: ${6 * IMAGE_BYTES}`, '{');
    expect(await connection.received('PAYLOAD_TOO_LARGE')).toContain('HTTP/1.1 413 ');
    leave();
  });
});
