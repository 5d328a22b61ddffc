import type { Caller } from '@fiado/contracts/caller';
import { createLogger } from '../logger';
import { InternalTokens } from '../keys/internal-token';
import { ops } from '../testing/callers';
import { callTo, type Call } from '../testing/call';
import { testProcessKeys } from '../testing/process-keys';
import { closeServer, portOf, serve } from './server';

const FORM = 'application/x-www-form-urlencoded';

let call: Call;
let stop: () => Promise<void>;
let handled = 0;

beforeAll(async () => {
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    routes: [
      {
        method: 'post',
        path: '/things/:name',
        allow: ['ops'],
        handle: (req, res) => {
          handled += 1;
          res.json({ body: req.body, query: req.query, name: req.params.name });
        },
      },
    ],
    callbacks: [{ path: '/form', handle: (req, res) => void res.json({ body: req.body }) }],
    open: (_req, _res, next) => next(),
    tokens: new InternalTokens(testProcessKeys('payments')),
    log: createLogger('payments', 'silent'),
  });
  call = callTo('payments', `http://127.0.0.1:${portOf(server)}`);
  stop = () => closeServer(server);
});
afterAll(() => stop());

const twilio: Caller = { kind: 'callback', id: 'twilio', name: 'twilio', scopes: [] };

/** `Ñ` and `Ú` in Latin-1 are other bytes, and each alone is no UTF-8. */
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

it.each([
  ['a JSON body', '/things/a', { body: latin1('{"name":"NU\u00d1EZ"}') }, 'body must be UTF-8'],
  ['a path', '/things/NU%D1EZ', {}, 'path must be UTF-8'],
  ['a query', '/things/a?q=%D1', {}, 'query must be UTF-8'],
  ['half a character in a query', '/things/a?q=%C3', {}, 'query must be UTF-8'],
])('%s that is not UTF-8 is refused', async (_what, path, options, problem) => {
  const before = handled;
  const { status, body } = await call(ops(), 'POST', path, options);
  expect([status, body, handled]).toEqual([
    400,
    { statusCode: 400, message: [problem], error: 'Bad Request' },
    before,
  ]);
});

it.each([
  ['raw', latin1('name=NU\u00d1EZ')],
  ['escaped', 'name=NU%D1EZ'],
])('a form with %s bytes that are not UTF-8 is refused', async (_what, body) => {
  const { status, text } = await call(twilio, 'POST', '/form', {
    body,
    headers: { 'content-type': FORM },
  });
  expect([status, text]).toEqual([400, expect.stringContaining('body must be UTF-8')]);
});

it('UTF-8 is read as it was sent, and a percent sign that escapes nothing is itself', async () => {
  const read = await call(ops(), 'POST', '/things/NU%C3%91EZ?q=100%&r=%c3%b1', {
    body: { name: 'NUÑEZ 😀' },
  });
  expect(read.body).toMatchObject({
    body: { name: 'NUÑEZ 😀' },
    query: { q: '100%', r: 'ñ' },
    name: 'NUÑEZ',
  });
  const form = await call(twilio, 'POST', '/form', {
    body: 'name=NU%C3%91EZ%20100%',
    headers: { 'content-type': FORM },
  });
  expect(form.status).toBe(200);
});
