import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Client } from 'undici';
import { buildHouse, KEY, type House } from './support/house';
import { openConnection } from './support/raw-connection';
import { serveTransactions } from './support/serve-transactions';

const MEGABYTE = 1_000_000;

let house: House;
beforeAll(async () => {
  house = await buildHouse();
});
afterAll(() => house.stop());
const { answerWith, seen } = serveTransactions(() => house);

describe('bodies', () => {
  it('reach the service as sent, with a length or in chunks', async () => {
    const text = JSON.stringify({ name: 'Año ñandú', filler: 'x'.repeat(200_000) });
    await house.call('POST', '/v1/transaction', { body: text });
    expect(seen().body).toBe(text);

    house.upstreams.transactions.seen.length = 0;
    const connection = await openConnection(house.url);
    connection.write(
      `PUT /v1/transaction/t HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n',
    );
    await connection.received('transactions');
    connection.destroy();
    expect(seen().body).toBe('{"a":1}');
  });

  it('of a GET are ignored', async () => {
    const connection = await openConnection(house.url);
    connection.write(
      `GET /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    await connection.received('transactions');
    connection.destroy();

    expect(seen()).toMatchObject({ body: '' });
    expect(seen().headers['content-length']).toBeUndefined();
  });

  it('are asked for with 100 Continue', async () => {
    const connection = await openConnection(house.url);
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
    const { text } = await house.call('GET', '/v1/transaction');

    expect(text === large).toBe(true);
  });
});

describe('a body larger than the route takes', () => {
  const refuse = (res: ServerResponse): void => {
    res.writeHead(413, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ errorCode: 'PAYLOAD_TOO_LARGE', errorMessage: 'too large' }));
  };
  const large = Buffer.alloc(10 * MEGABYTE, 'x');

  it.each([
    ['at once', (_req: IncomingMessage, res: ServerResponse) => refuse(res)],
    [
      'after some of it',
      (req: IncomingMessage, res: ServerResponse) => {
        req.once('data', () => {
          req.pause();
          refuse(res);
        });
      },
    ],
    [
      'after all of it',
      (req: IncomingMessage, res: ServerResponse) => {
        req.resume().on('end', () => refuse(res));
      },
    ],
  ])('is a 413 when the service says so %s, and the connection goes on', async (_when, answer) => {
    answerWith(answer);
    const client = new Client(house.url);
    const request = (body: Buffer | string) =>
      client.request({
        method: 'POST',
        path: '/v1/transaction',
        headers: { authorization: KEY },
        body,
      });
    // A client that writes all before it reads, as many do.
    const connection = await openConnection(house.url);
    connection.write(
      `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
        `Content-Length: ${large.length}\r\n\r\n`,
    );
    connection.write(large);
    const answered = await connection.received('PAYLOAD_TOO_LARGE');
    expect(answered).toMatch(/^HTTP\/1\.1 413 /);

    house.upstreams.transactions.answer = undefined;
    connection.write(
      `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\nContent-Length: 2\r\n\r\n{}`,
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
  });
});
