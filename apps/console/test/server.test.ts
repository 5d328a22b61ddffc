import type { Router } from 'express';
import { createLogger } from '@fiado/chassis/logger';
import { createHealth } from '@fiado/chassis/http/health';
import { loadConfig } from '@fiado/chassis/config';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import {
  sendEndlessly,
  type EndlessRequest,
} from '../../../services/gateway/test/support/send-endlessly';
import { bodyLimitOf, createApp } from '../src/app';
import { ConsoleConfig } from '../src/config';
import { startConsole } from '../src/console';

/** What a request without a body may bring. */
const IGNORED = 16 * 1024;

const log = createLogger('console', 'silent');
const config = loadConfig(ConsoleConfig, {
  FIADO_MODE: 'sandbox',
  CONSOLE_PORT: '0',
  CONSOLE_RATE_LIMIT_PER_SECOND: '0',
  CONSOLE_METRICS_PORT: '0',
});

let running: Awaited<ReturnType<typeof startConsole>>;
beforeAll(async () => {
  running = await startConsole(config, log);
});
afterAll(() => running.close());

/** Methods and paths as Express has them registered. */
function routesIn({ stack }: Router): Array<{ method: string; path: string }> {
  return stack.flatMap(({ route, handle }) => {
    if (route === undefined) return 'stack' in handle ? routesIn(handle as unknown as Router) : [];
    const methods = (route.stack as Array<{ method: string }>).map(({ method }) => method);
    return [route.path]
      .flat()
      .flatMap((path) => methods.map((method) => ({ method: method.toUpperCase(), path })));
  });
}

it('a form, a body or a query that is not UTF-8 is refused', async () => {
  const url = `http://localhost:${running.port}`;
  const post = (type: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${url}/entrar`, { method: 'POST', headers: { 'content-type': type }, body });
  const answers = await Promise.all([
    post('application/x-www-form-urlencoded', 'name=%D1'),
    post('application/json', Buffer.from('{"name":"\u00d1"}', 'latin1')),
    fetch(`${url}/entrar?name=%D1`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
});

it('a body that is longer than a route of the console takes is a 413, and is not read to its end', async () => {
  const unknown = ['HEAD', 'OPTIONS', 'PUT', 'POST'].map((method) => ({
    method,
    path: '/nowhere',
  }));
  const routes = [
    ...routesIn(createApp(config, log, createHealth({ readiness: {} })).router),
    ...unknown,
  ];
  expect(routes.length).toBeGreaterThan(50);
  const requests = routes.flatMap(({ method, path }): EndlessRequest[] => {
    const longest = method === 'POST' ? bodyLimitOf(path) : IGNORED;
    return [
      { method, path, length: longest + 1, hidden: true },
      { method, path, length: 'chunked' },
    ];
  });
  const url = `http://127.0.0.1:${running.port}`;
  const outcomes = await inFlight(
    requests.map((request) => async () => {
      const outcome = await sendEndlessly(url, request);
      return outcome === '413' ? [] : [`${request.method} ${request.path}: ${outcome}`];
    }),
    100,
  );
  expect(outcomes.flat()).toEqual([]);
});

it.each([
  ['https://console.example.com', 'max-age=31536000'],
  ['http://localhost:3010', null],
])('answers of a console at %s ask for TLS alone: %s', async (CONSOLE_URL, expected) => {
  const other = await startConsole(
    Object.assign(new ConsoleConfig(), config, { CONSOLE_URL }),
    log,
  );
  const { headers } = await fetch(`http://localhost:${other.port}/health/live`);
  expect(headers.get('strict-transport-security')).toBe(expected);
  await other.close();
});

it('the metrics of the console have a port of their own', async () => {
  await (await fetch(`http://127.0.0.1:${running.port}/health/ready`)).text();
  const text = await (await fetch(`http://127.0.0.1:${running.metricsPort}/metrics`)).text();
  expect(text).toMatch(/^fiado_build_info\{service="console",/m);
  expect(text).toMatch(/^fiado_ready 1$/m);
  expect(text).toMatch(
    /^fiado_http_request_duration_seconds_count\{method="GET",route="\/health\/ready",status="200"\} \d+$/m,
  );
  // As any page, it asks for a sign-in.
  const page = await fetch(`http://127.0.0.1:${running.port}/metrics`, { redirect: 'manual' });
  expect(page.status).toBe(302);
});
