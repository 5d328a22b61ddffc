import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { BATCH_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { closeServer, createApp, listen, portOf } from '../src/http/server';
import type { ServedRoute } from '../src/http/endpoint';
import { INTERNAL_TOKEN_HEADER } from '@fiado/contracts/caller';
import { InternalTokens } from '../src/keys/internal-token';
import { createLogger } from '../src/logger';
import { wholesaler } from '../src/testing/callers';
import { testProcessKeys } from '../src/testing/process-keys';
import { until } from '../src/testing/until';

/** Longer than any body that is parsed at once. */
const FILLER = 'x'.repeat(100_000);

/** Names of the requests that are worked on, in the order of their beginning. */
const begun: string[] = [];
const answers = new Map<string, () => void>();
let server: Server;

beforeAll(async () => {
  const routes: ServedRoute[] = [
    {
      method: 'post',
      path: '/work',
      allow: ['wholesaler'],
      bodyLimit: BATCH_BODY_LIMIT,
      handle: (req, res) => {
        begun.push(req.body.name);
        answers.set(req.body.name, () => res.json({}));
      },
    },
  ];
  const app = createApp({
    routes,
    open: (_req, _res, next) => next(),
    tokens: new InternalTokens(testProcessKeys('transactions')),
    log: createLogger('transactions', 'silent'),
  });
  server = await listen(app, { host: '127.0.0.1', port: 0, routes });
});
afterAll(async () => {
  server.closeAllConnections();
  await closeServer(server);
});
beforeEach(() => {
  begun.length = 0;
});

const gateway = new InternalTokens(testProcessKeys('gateway'));

async function sendWork(
  id: string,
  body: object,
  { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<number> {
  const token = await gateway.sign('transactions', wholesaler(id));
  const text = JSON.stringify(body);
  const { status } = await fetch(`http://127.0.0.1:${portOf(server)}/work`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [INTERNAL_TOKEN_HEADER]: token, ...headers },
    body: 'content-encoding' in headers ? gzipSync(text) : text,
    ...(signal && { signal }),
  });
  return status;
}

const untilBegun = (...names: string[]) =>
  until(`${names.join(', ')} began`, () => names.every((name) => begun.includes(name)));

it('two large bodies of one caller are worked on at a time; small ones and others’ pass them', async () => {
  const own = randomUUID();
  const leaving = new AbortController();
  const large = (name: string, signal?: AbortSignal) =>
    sendWork(own, { name, filler: FILLER }, { ...(signal && { signal }) });

  const first = [large('a1'), large('a2')];
  await untilBegun('a1', 'a2');
  const left = large('a3', leaving.signal).catch(() => 0);
  const last = large('a4');
  const others = [
    sendWork(own, { name: 'small' }),
    sendWork(randomUUID(), { name: 'neighbour', filler: FILLER }),
  ];
  await untilBegun('small', 'neighbour');
  expect(begun).not.toContain('a3');
  expect(begun).not.toContain('a4');

  leaving.abort();
  await left;
  answers.get('a1')?.();
  // The caller of a3 has left, and its place goes on to a4.
  await untilBegun('a4');
  for (const name of ['a2', 'a4', 'small', 'neighbour']) answers.get(name)?.();
  expect(await Promise.all([...first, last, ...others])).toEqual([200, 200, 200, 200, 200]);
});

it.each([
  [415, { 'content-encoding': 'gzip' }],
  [415, { 'content-type': 'application/json; charset=utf-16' }],
  [415, { 'content-type': 'text/plain' }],
])('answers %i to a body with %o', async (status, headers) => {
  expect(await sendWork(randomUUID(), { name: 'odd' }, { headers })).toBe(status);
  expect(begun).toEqual([]);
});
