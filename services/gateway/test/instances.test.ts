import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOKEN_REFUSED_HEADER } from '@fiado/contracts/caller';
import { loadConfig } from '@fiado/chassis/config';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { until } from '@fiado/chassis/testing/until';
import { GatewayConfig } from '../src/config';
import { answerError, startTestGateway, type TestGateway } from './support/test-gateway';
import { Upstream } from './support/upstream';

/** After it a call without an answer has failed for the gateway. */
const HALF_DEADLINE_MS = TEST_TIMING.forward / 2;
const MINUTE_MS = 60_000;

let first: Upstream;
let second: Upstream;
let gateway: TestGateway;
beforeEach(async () => {
  [first, second] = [new Upstream('first'), new Upstream('second')];
  await Promise.all([first.start(), second.start()]);
  gateway = await startTestGateway({ config: { TRANSACTIONS_URL: `${first.url},${second.url}` } });
});
afterEach(async () => {
  await gateway.stop();
  await Promise.all([first.stop(), second.stop()]);
});

const order = () => gateway.call('POST', '/v1/transaction', { body: {} });

it('sequential and parallel requests go to all instances of a service', async () => {
  for (let i = 0; i < 10; i++) await order();
  expect([first.seen.length, second.seen.length]).toEqual([5, 5]);

  await Promise.all(Array.from({ length: 30 }, order));
  expect([first.seen.length, second.seen.length]).toEqual([20, 20]);
});

it('no request fails when an instance is killed between requests, not even one that writes', async () => {
  await Promise.all(Array.from({ length: 20 }, order));
  await second.stop();

  const answers = await Promise.all(Array.from({ length: 40 }, order));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));

  await second.start();
});

it('an instance that was never there costs no request', async () => {
  await gateway.stop();
  await second.stop();
  gateway = await startTestGateway({ config: { TRANSACTIONS_URL: `${second.url},${first.url}` } });

  const answers = await Promise.all(Array.from({ length: 40 }, order));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
  expect(first.seen).toHaveLength(40);
});

it('one that answered does not get the request of one that closed the connection', async () => {
  first.answer = (req) => void req.socket.destroy();
  second.answer = (req) => void req.socket.destroy();

  expect((await order()).status).toBe(503);
  expect(first.seen.length + second.seen.length).toBe(1);
});

it('one with a wrong clock, which refuses our token, costs no request; when both refuse it is a 503', async () => {
  const refuse: RequestListener = (req, res) => {
    req.resume();
    res.setHeader(TOKEN_REFUSED_HEADER, '1');
    answerError(res, 'INTERNAL_TOKEN_NOT_VALID');
  };
  first.answer = refuse;
  const answers = await Promise.all(Array.from({ length: 40 }, order));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));

  second.answer = refuse;
  const { status, body } = await order();
  expect([status, body.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
});

it('each of several URLs is checked', () => {
  const load = (ACCOUNTS_URL: string) =>
    loadConfig(GatewayConfig, { ...testKeyVariables('gateway'), ACCOUNTS_URL });

  expect(load('http://a:1, http://b:1').ACCOUNTS_URL).toBe('http://a:1, http://b:1');
  expect(() => load('http://a:1,')).toThrow(/ACCOUNTS_URL: must be a URL/);
  expect(() => load('http://a:1,ftp://b')).toThrow(/ACCOUNTS_URL: must be a URL/);
});

it('one that hangs keeps only those who came first waiting', async () => {
  first.answer = () => undefined;
  const early = Promise.all([order(), order()]);
  await until('it hangs', () => first.seen.length === 1);
  await sleep(HALF_DEADLINE_MS + 100);

  const answers = await Promise.all(Array.from({ length: 20 }, order));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect((await early).map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 503,
  ]);
});

it('one that is frozen is skipped until it goes on, and its callers do not wait for their deadline', async () => {
  await gateway.stop();
  gateway = await startTestGateway({
    config: { TRANSACTIONS_URL: `${first.url},${second.url}` },
    timing: { ...TEST_TIMING, forward: 10 * MINUTE_MS },
  });
  first.isFrozen = true;
  const early = await Promise.all([order(), order()]);
  expect(early.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 503,
  ]);

  const answers = await Promise.all(Array.from({ length: 20 }, order));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));

  first.isFrozen = false;
  await until('it is called again', async () => {
    await order();
    return first.seen.length > 0;
  });
});
