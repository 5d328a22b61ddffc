import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@fiado/chassis/testing/until';
import { forAllTests } from '../../../test/support/for-all-tests';
import { openConnection } from './support/raw-connection';
import { serveTransactions } from './support/serve-transactions';
import { KEY, startTestGateway } from './support/test-gateway';

const gateway = forAllTests(startTestGateway);
const { answerWith, seen } = serveTransactions(gateway);

describe('a service that is unavailable', () => {
  it.each(['GET', 'POST'])(
    'is a 503 with Retry-After to a %s, and back at once',
    async (method) => {
      const body = method === 'POST' ? {} : undefined;
      await gateway.upstreams.transactions.stop();
      const away = await gateway.call(method, '/v1/transaction', { body });
      await gateway.upstreams.transactions.start();
      const back = await gateway.call(method, '/v1/transaction', { body });

      expect([away.status, away.body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(away.headers.get('retry-after')).toBe('2');
      expect(back.status).toBe(200);
    },
  );

  it('does not keep the others from being served', async () => {
    await gateway.upstreams.transactions.stop();
    expect((await gateway.call('GET', '/v1/admin/messages')).status).toBe(200);
  });

  it('that closes the connection gets a GET again, and never a POST', async () => {
    const cut = (req: IncomingMessage) => void req.socket.destroy();
    answerWith(cut);
    expect((await gateway.call('GET', '/v1/transaction')).status).toBe(503);
    expect(gateway.seenBy('transactions')).toHaveLength(2);

    gateway.upstreams.transactions.seen.length = 0;
    expect((await gateway.call('POST', '/v1/transaction', { body: {} })).status).toBe(503);
    expect(gateway.seenBy('transactions')).toHaveLength(1);
  });

  it('for a moment is not seen by a GET', async () => {
    answerWith((req) => {
      gateway.upstreams.transactions.answer = undefined;
      req.socket.destroy();
    });
    expect((await gateway.call('GET', '/v1/transaction')).status).toBe(200);
  });

  it('from the middle of its response on leaves the caller a response that is cut', async () => {
    answerWith((_req, res) => {
      res.writeHead(200, { 'Content-Length': '1000' });
      res.write('x'.repeat(100));
      setTimeout(() => res.destroy(), 30);
    });

    await expect(gateway.call('GET', '/v1/transaction')).rejects.toThrow();
    expect(gateway.seenBy('transactions')).toHaveLength(1);
  });
});

describe('a caller who leaves', () => {
  it('ends the request to the service before its answer', async () => {
    answerWith(() => {});
    const connection = await openConnection(gateway.url);
    connection.write(`GET /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n\r\n`);
    await until('it is forwarded', () => gateway.seenBy('transactions').length === 1);
    connection.destroy();

    await until('the service sees it end', () => seen().aborted);
  });

  it.each([
    ['in the middle of a long body', 'Content-Length: 100000'],
    ['in the middle of a body of unknown length', 'Transfer-Encoding: chunked'],
  ])('ends it %s', async (_where, header) => {
    answerWith((req) => void req.resume());
    const connection = await openConnection(gateway.url);
    connection.write(
      `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n${header}\r\n\r\n2\r\n{}\r\n`,
    );
    await until('it is forwarded', () => gateway.seenBy('transactions').length === 1);
    connection.destroy();

    await until('the service sees it end', () => seen().aborted);
  });

  it('in the middle of a short body does not reach the service', async () => {
    const connection = await openConnection(gateway.url);
    connection.write(
      `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\nContent-Length: 9\r\n\r\n{}`,
    );
    await sleep(50);
    connection.destroy();
    await sleep(50);

    expect(gateway.seenBy('transactions')).toEqual([]);
  });

  it('ends it in the middle of the answer', async () => {
    answerWith((_req, res) => {
      const more = setInterval(() => res.write('x'.repeat(1_000)), 5);
      res.once('close', () => clearInterval(more));
    });
    const connection = await openConnection(gateway.url);
    connection.write(`GET /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n\r\n`);
    await connection.received('xxx');
    connection.destroy();

    await until('the service sees it end', () => seen().aborted);
  });
});

it('connections to a service are used again', async () => {
  for (let i = 0; i < 20; i++) await gateway.call('POST', '/v1/transaction', { body: {} });
  expect(gateway.upstreams.transactions.sockets.size).toBeLessThanOrEqual(2);
});

it('a service that takes longer than its deadline is a 503', async () => {
  answerWith(() => {});
  const { status } = await gateway.call('POST', '/v1/transaction', { body: {} });

  expect(status).toBe(503);
  await until('the service sees it end', () => seen().aborted);
});
