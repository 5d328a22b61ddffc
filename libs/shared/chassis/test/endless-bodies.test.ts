import { servedRoutes } from '../../../../scripts/served-routes';
import {
  sendEndlessly,
  type EndlessRequest,
} from '../../../../services/gateway/test/support/send-endlessly';
import { closeServer, createApp, listen, portOf } from '../src/http/server';
import { InternalTokens } from '../src/keys/internal-token';
import { createLogger } from '../src/logger';
import { DEFAULT_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { SERVICES } from '@fiado/contracts/process-names';
import { inFlight } from '../src/testing/in-flight';
import { testProcessKeys } from '../src/testing/process-keys';

/** What a request without a body may bring. */
const IGNORED = 16 * 1024;

/** A server with the routes of a service, which do nothing. */
async function serve(service: (typeof SERVICES)[number]) {
  const routes = (servedRoutes[service] ?? []).map((route) => ({
    ...route,
    handle: () => undefined,
  }));
  const app = createApp({
    routes,
    open: (_req, _res, next) => next(),
    tokens: new InternalTokens(testProcessKeys(service)),
    log: createLogger(service, 'silent'),
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, routes });
  return { server, routes, url: `http://127.0.0.1:${portOf(server)}` };
}

it.each(SERVICES)(
  'a body that is longer than a route of %s takes is a 413, and is not read to its end',
  async (service) => {
    const { server, routes, url } = await serve(service);
    const known = routes.map(({ method, path, bodyLimit = DEFAULT_BODY_LIMIT }) => ({
      method: method.toUpperCase(),
      path,
      longest: method === 'get' ? IGNORED : bodyLimit,
    }));
    const others = ['/health/live', '/nowhere'].map((path) => ({
      method: 'GET',
      path,
      longest: IGNORED,
    }));
    const requests = [...known, ...others].flatMap(({ longest, ...request }): EndlessRequest[] => [
      { ...request, length: longest + 1, hidden: true },
      { ...request, length: 'chunked' },
    ]);
    const outcomes = await inFlight(
      requests.map((request) => async () => {
        const outcome = await sendEndlessly(url, request);
        return outcome === '413' ? [] : [`${request.method} ${request.path}: ${outcome}`];
      }),
      100,
    );
    expect(outcomes.flat()).toEqual([]);
    await closeServer(server);
  },
);

it('a service takes all headers that the gateway may forward', async () => {
  const { server, url } = await serve('notifier');
  const headers = { 'x-filler': 'x'.repeat(16 * 1024) };
  expect((await fetch(`${url}/nowhere`, { headers })).status).toBe(404);
  await closeServer(server);
});
