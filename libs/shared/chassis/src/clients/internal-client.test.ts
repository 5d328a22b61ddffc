import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from 'node:http';
import { createApp, closeServer, listen, portOf } from '../http/server';
import { InternalTokens } from '../keys/internal-token';
import type { ProcessKeys } from '../keys/process-keys';
import { createLogger } from '../logger';
import { metricsText } from '../metrics';
import { defineCall } from '@fiado/contracts/define';
import { AppError } from '@fiado/contracts/errors';
import { send } from '../testing/call';
import { strangeKeys, testProcessKeys } from '../testing/process-keys';
import { InternalClient } from './internal-client';

const log = createLogger('upstream', 'silent');
const errors = jest.spyOn(log, 'error').mockImplementation(() => undefined);

class NoBody {}
const CUT = defineCall<object>()('/internal/cut', NoBody);
const ANSWER = defineCall<object>()('/internal/answer', NoBody);
const REFUSE = defineCall<object>()('/internal/refuse', NoBody);

let server: Server;
let baseUrl: string;
let calls = 0;
beforeAll(async () => {
  const app = createApp({
    tokens: new InternalTokens(testProcessKeys('transactions')),
    log,
    open: (_req, _res, next) => next(),
    routes: [
      {
        method: 'post',
        path: CUT.path,
        allow: ['service:accounts'],
        handle: (req) => {
          calls += 1;
          req.socket.destroy();
        },
      },
      {
        method: 'post',
        path: ANSWER.path,
        allow: ['service:accounts'],
        handle: (_req, res) => {
          calls += 1;
          res.json({ heard: true });
        },
      },
      {
        method: 'post',
        path: REFUSE.path,
        allow: ['service:accounts'],
        handle: () => {
          calls += 1;
          throw new AppError('SERVICE_UNAVAILABLE');
        },
      },
    ],
  });
  server = await listen(app, { host: '127.0.0.1', port: 0 });
  baseUrl = `http://127.0.0.1:${portOf(server)}`;
});
afterAll(() => closeServer(server));
beforeEach(() => {
  calls = 0;
  errors.mockClear();
});

async function withClient(
  keys: ProcessKeys,
  work: (client: InternalClient) => Promise<void>,
): Promise<void> {
  const tokens = new InternalTokens(keys);
  const client = new InternalClient({ upstream: 'transactions', baseUrl, tokens });
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

it('a read is repeated when the connection is lost, a command is not', async () => {
  await withClient(testProcessKeys('accounts'), async (client) => {
    await expect(client.ask(CUT, {})).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(calls).toBe(2);
    await expect(client.tell(CUT, {})).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(calls).toBe(3);
  });
});

it('a service that does not answer is not called until an attempt a second later succeeds', async () => {
  await withClient(testProcessKeys('accounts'), async (client) => {
    const ask = (call: typeof CUT) => client.ask(call, {}).catch((error: AppError) => error.code);
    // Two calls each, and twenty are what a breaker judges by.
    for (let asked = 0; asked < 10; asked += 1) await ask(CUT);
    await expect(client.tell(ANSWER, {})).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await ask(ANSWER)).toBe('SERVICE_UNAVAILABLE');
    expect(calls).toBe(20);
    expect(await metricsText()).toContain(
      'fiado_breaker_open{upstream="transactions",use="ask"} 1',
    );

    await sleep(1_200);
    expect(await ask(ANSWER)).toEqual({ heard: true });
    expect(await metricsText()).toContain(
      'fiado_breaker_open{upstream="transactions",use="ask"} 0',
    );
  });
});

it('a service that answers 503 is still called', async () => {
  await withClient(testProcessKeys('accounts'), async (client) => {
    for (let asked = 0; asked < 30; asked += 1) {
      await client.tell(REFUSE, {}).catch(() => undefined);
    }
  });
  expect(calls).toBe(30);
});

it('a service that does not know our key counts as unavailable, and logs an error', async () => {
  await withClient(strangeKeys('accounts'), async (client) => {
    await expect(client.tell(CUT, {})).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { code: 'INTERNAL_TOKEN_NOT_VALID' },
    });
  });
  expect(calls).toBe(0);
  expect(errors).toHaveBeenCalledTimes(1);
});

it('an instance with a wrong clock, which refuses our token, gets no calls while there is another', async () => {
  let heard = 0;
  const tenMinutesAhead = new InternalTokens(
    testProcessKeys('transactions'),
    () => Date.now() + 600_000,
  );
  const app = createApp({
    tokens: tenMinutesAhead,
    log,
    open: (_req, _res, next) => next(),
    routes: [
      {
        method: 'post',
        path: ANSWER.path,
        allow: ['service:accounts'],
        handle: () => void (heard += 1),
      },
    ],
  });
  const wrong = await listen(app, { host: '127.0.0.1', port: 0 });
  const both = `${baseUrl},http://127.0.0.1:${portOf(wrong)}`;
  const tokens = new InternalTokens(testProcessKeys('accounts'));
  const client = new InternalClient({ upstream: 'transactions', baseUrl: both, tokens });
  try {
    for (let told = 0; told < 10; told += 1) {
      expect(await client.tell(ANSWER, {})).toEqual({ heard: true });
    }
    expect([calls, heard]).toEqual([10, 0]);
  } finally {
    await client.close();
    await closeServer(wrong);
  }
});

it('a call with no token at all is a 401, and no fault of ours', async () => {
  const { status, body } = await send(`${baseUrl}/internal/cut`, 'POST', {}, {});
  expect([status, body.errorCode]).toEqual([401, 'UNAUTHORIZED']);
  expect(errors).not.toHaveBeenCalled();
});
