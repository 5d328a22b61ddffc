import type { Express, Router } from 'express';
import { loadConfig } from '@fiado/chassis/config';
import { createHealth } from '@fiado/chassis/http/health';
import { createLogger } from '@fiado/chassis/logger';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { servedRoutes } from '../../../scripts/served-routes';
import { forAllTests } from '../../../test/support/for-all-tests';
import { GatewayConfig } from '../src/config';
import { createContext } from '../src/context';
import { findOpenRoute, findRoute } from '../src/forwarding/route-table';
import { MAX_FORM_LENGTHS } from '../src/pages/forms';
import { createOwnApp } from '../src/service';
import { openConnection } from './support/raw-connection';
import { sendEndlessly, type EndlessRequest } from './support/send-endlessly';
import { KEY, startTestGateway } from './support/test-gateway';

/** What a request without a body may bring. */
const IGNORED = 16 * 1024;
/** Connections: each stays open for a second after its answer. */
const AT_ONCE = 100;

let keys = 0;
/** The header of a credential of its own, whose bytes in flight are nobody else's. */
function authorization(): string {
  const key = `fiado_test_sender-${(keys += 1)}`;
  gateway.callers.set(key, wholesaler());
  return `Authorization: ${key}\r\n`;
}

const gateway = forAllTests(startTestGateway);

/** Methods and paths of an Express app, as it has them registered. */
function routesIn({ stack }: Router): Array<{ method: string; path: string }> {
  return stack.flatMap(({ route, handle }) => {
    if (route !== undefined) {
      return (route.stack as Array<{ method: string }>).map(({ method }) => ({
        method: method.toUpperCase(),
        path: route.path,
      }));
    }
    return 'stack' in handle ? routesIn(handle as unknown as Router) : [];
  });
}

/** The gateway's own routes. */
async function ownRoutes(): Promise<Array<{ method: string; path: string }>> {
  const config = loadConfig(GatewayConfig, testKeyVariables('gateway'));
  const log = createLogger('gateway', 'silent');
  const context = createContext(config, { log, now: () => 0, timing: TEST_TIMING });
  const health = createHealth({ readiness: {} });
  const app: Express = createOwnApp(context, { health, showsMetrics: true });
  await context.close();
  return routesIn(app.router);
}

/** One request for each group of forwarded paths and method, with the most that it may bring. */
function apiRoutes(): Array<{ method: string; path: string; longest: number }> {
  const groups = new Map<string, { method: string; path: string; longest: number }>();
  for (const { method: lowerCase, path } of Object.values(servedRoutes).flat()) {
    const method = lowerCase.toUpperCase();
    const route = findOpenRoute(method, path) ?? findRoute(path);
    if (route === undefined) continue;
    const longest = method === 'GET' ? IGNORED : route.maxBodyLength;
    groups.set(`${method} ${route.pattern}`, { method, path, longest });
  }
  return [...groups.values()];
}

async function outcomes(requests: EndlessRequest[]): Promise<string[]> {
  const work = requests.map((request) => async () => {
    const outcome = await sendEndlessly(gateway.url, request);
    return outcome === '413'
      ? []
      : [`${request.method} ${request.path} (${request.length}): ${outcome}`];
  });
  return (await inFlight(work, AT_ONCE)).flat();
}

describe('a body that is longer than its route takes is a 413, and is not read to its end,', () => {
  it('on every route of the gateway itself', async () => {
    const routes = await ownRoutes();
    expect(routes.length).toBeGreaterThan(20);
    const paths = routes.map(({ method, path }) => {
      const longest =
        method === 'POST' ? MAX_FORM_LENGTHS[path as keyof typeof MAX_FORM_LENGTHS] : IGNORED;
      expect(longest).toBeGreaterThan(0);
      return { method, path, longest };
    });
    const unknown = ['HEAD', 'OPTIONS', 'DELETE', 'POST'].map((method) => ({
      method,
      path: '/nowhere',
      longest: IGNORED,
    }));
    expect(
      await outcomes(
        [...paths, ...unknown].flatMap(({ longest, ...request }) => [
          { ...request, length: longest + 1, hidden: true },
          { ...request, length: 'chunked' as const },
        ]),
      ),
    ).toEqual([]);
  });

  it('on every route that it forwards', async () => {
    expect(
      await outcomes(
        apiRoutes().flatMap(({ longest, ...request }) => [
          { ...request, headers: authorization(), length: longest + 1, hidden: true },
          { ...request, headers: authorization(), length: 'chunked' as const },
        ]),
      ),
    ).toEqual([]);
  });
});

it('without a credential no body of a forwarded route is read to its end', async () => {
  for (const path of ['/v1/transaction', '/v1/sign-in/token', '/v1/callbacks/twilio/x']) {
    const request = { method: 'POST', path, length: 'chunked' as const };
    expect(await sendEndlessly(gateway.url, request)).toMatch(/^(401|413)$/);
  }
});

it('many requests of one connection, sent at once, are all answered', async () => {
  const connection = await openConnection(gateway.url);
  const request = `GET /health/live HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(8_000)}\r\n\r\n`;
  connection.write(request.repeat(200));
  connection.write('GET /openapi-admin.json HTTP/1.1\r\nHost: x\r\n\r\n');
  await connection.received('"openapi"');
  connection.destroy();
});

it('a body in chunks that a service does not read is counted after its answer too', async () => {
  gateway.upstreams.transactions.answer = (_req, res) => void res.end('{}');
  const headers = `Authorization: ${KEY}\r\n`;
  const request = { method: 'POST', path: '/v1/transaction', headers, length: 'chunked' as const };
  expect(await sendEndlessly(gateway.url, request)).toMatch(/^(200|413)$/);
  gateway.upstreams.transactions.answer = undefined;
});

describe('a body of a request that should have none', () => {
  it.each([
    ['with a length', `Content-Length: ${IGNORED}\r\n\r\n${'x'.repeat(IGNORED)}`],
    [
      'in chunks',
      `Transfer-Encoding: chunked\r\n\r\n${IGNORED.toString(16)}\r\n${'x'.repeat(IGNORED)}\r\n0\r\n\r\n`,
    ],
  ])('is ignored up to 16 kB %s, and the connection stays open', async (_how, rest) => {
    for (const [path, answer] of [
      ['/health/live', '"status":"ok"'],
      ['/v1/transaction', '"from":"transactions"'],
    ] as const) {
      const connection = await openConnection(gateway.url);
      connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n${rest}`);
      await connection.received(answer);
      connection.write('GET /openapi-admin.json HTTP/1.1\r\nHost: x\r\n\r\n');
      await connection.received('"openapi"');
      connection.destroy();
    }
  });

  it('that stops to arrive ends with a 408', async () => {
    const connection = await openConnection(gateway.url);
    connection.write('GET /health/live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1');
    await gateway.call('GET', '/health/live');
    gateway.advance(16_000);
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('after a body that is refused', () => {
  it('the next request of the connection is not handled', async () => {
    const seen = gateway.seenBy('transactions').length;
    const connection = await openConnection(gateway.url);
    const length = IGNORED + 1;
    connection.write(
      `GET /docs HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}` +
        `GET /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n\r\n`,
    );
    const answer = await connection.closed();
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
    expect(gateway.seenBy('transactions')).toHaveLength(seen);
  });

  it('nobody is asked to send it', async () => {
    const connection = await openConnection(gateway.url);
    connection.write(
      `GET /docs HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${IGNORED + 1}\r\n\r\n`,
    );
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 413 /);
  });
});

it('an unknown expectation is ignored, and its body bounded', async () => {
  const request = { method: 'GET', path: '/docs', length: 'chunked' as const };
  expect(await sendEndlessly(gateway.url, { ...request, headers: 'Expect: more\r\n' })).toBe('413');
});

it('a form of a page that is too long gets a page in Spanish', async () => {
  const connection = await openConnection(gateway.url);
  connection.write('POST /pedido/a HTTP/1.1\r\nHost: x\r\nContent-Length: 2049\r\n\r\n');
  expect(await connection.received('</html>')).toMatch(
    /^HTTP\/1\.1 413 [^]*Content-Security-Policy: [^]*pesa demasiado/,
  );
  connection.destroy();
});

it('pictures of one address that are refused count, whatever their link', async () => {
  const limited = await startTestGateway({ config: { RATE_LIMIT_PER_SECOND: '300' } });
  const form = (length: number) =>
    `POST /kyc/nobody/cara HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
  const length = 30 * 1024 * 1024;
  const first = await openConnection(limited.url);
  first.write(form(length));
  first.write(Buffer.alloc(length, 'x'));
  await first.received('HTTP/1.1 303');
  const second = await openConnection(limited.url);
  second.write(form(length));
  expect(await second.closed()).toMatch(/^HTTP\/1\.1 429 [^]*Connection: close/);
  first.destroy();
  await limited.stop();
});
