import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { register } from 'prom-client';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { until } from '@fiado/chassis/testing/until';
import { startTestGateway, type TestGateway } from './support/test-gateway';

/** As many calls as a breaker judges by. */
const CALLS = 20;
/** More than the second after which one call is let through. */
const TRY_AGAIN_MS = 1_200;
/** After this time without a call it does not know any more how the service is. */
const WINDOW_MS = 10_000;
/** A busy machine answers CALLS in half of it. */
const LONG_DEADLINE_MS = 12_000;
const PATH = '/v1/transaction';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.stop());

async function order() {
  const { status, body, headers } = await gateway.call('POST', PATH, { body: {} });
  return { status, code: body.errorCode, retryAfter: headers.get('retry-after') };
}

const orders = (count: number) => Promise.all(Array.from({ length: count }, order));

async function isOpen(upstream: string): Promise<boolean> {
  const gauge = await register.getSingleMetric('fiado_breaker_open')?.get();
  const open = gauge?.values.filter(({ labels, value }) => labels.use === 'forward' && value === 1);
  return open?.some(({ labels }) => labels.upstream === upstream) === true;
}

it('a service that cuts every call is not called any more, and called again when it answers', async () => {
  const { transactions } = gateway.upstreams;
  transactions.answer = (req) => void req.socket.destroy();
  await orders(CALLS);
  const heard = transactions.seen.length;
  expect(await isOpen('transactions')).toBe(true);

  const refused = await orders(CALLS);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  expect(refused[0]).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: '2' });
  expect(transactions.seen).toHaveLength(heard);
  expect((await gateway.call('GET', '/v1/admin/messages')).status).toBe(200);

  transactions.answer = undefined;
  gateway.advance(TRY_AGAIN_MS);
  expect((await order()).status).toBe(200);
  expect(await isOpen('transactions')).toBe(false);
  expect(new Set((await orders(CALLS)).map(({ status }) => status))).toEqual(new Set([200]));
});

it('one call a second is allowed while the service keeps failing', async () => {
  const { transactions } = gateway.upstreams;
  transactions.answer = (req) => void req.socket.destroy();
  await orders(CALLS);
  const heard = transactions.seen.length;

  gateway.advance(TRY_AGAIN_MS);
  await orders(CALLS);
  expect(transactions.seen).toHaveLength(heard + 1);
  expect(await isOpen('transactions')).toBe(true);
});

it('a burst reaches the service after ten seconds without a request, though it failed before', async () => {
  const { transactions } = gateway.upstreams;
  transactions.answer = (req) => void req.socket.destroy();
  await orders(CALLS);
  expect(await isOpen('transactions')).toBe(true);

  // Longer than one request of the burst, so that none of them closes the breaker for the others.
  transactions.answer = (_req, res) => {
    res.setHeader('Content-Type', 'application/json');
    setTimeout(() => res.end('{}'), 500);
  };
  gateway.advance(WINDOW_MS);
  expect(new Set((await orders(CALLS)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(await isOpen('transactions')).toBe(false);
});

it('a service that hangs keeps its first callers, and no others', async () => {
  await gateway.stop();
  gateway = await startTestGateway({ timing: { ...TEST_TIMING, forward: LONG_DEADLINE_MS } });
  const held: ServerResponse[] = [];
  gateway.upstreams.transactions.answer = (_req, res) => void held.push(res);
  let firstAnswered = 0;
  const first = Array.from({ length: CALLS }, () => order().finally(() => (firstAnswered += 1)));
  await until('the breaker is open', () => isOpen('transactions'));

  const late = await orders(CALLS);
  expect(firstAnswered).toBe(0);
  expect(gateway.upstreams.transactions.seen).toHaveLength(CALLS);
  for (const res of held) res.destroy();
  const answers = [...late, ...(await Promise.all(first))];
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
});

it('a refusal or error answer does not open the breaker', async () => {
  gateway.upstreams.transactions.answer = (_req, res) => {
    res.statusCode = 503;
    res.setHeader('Content-Type', 'application/json').end('{}');
  };
  await orders(2 * CALLS);
  expect(gateway.upstreams.transactions.seen).toHaveLength(2 * CALLS);
  expect(await isOpen('transactions')).toBe(false);
});

it('callers who disconnect early do not count for the breaker', async () => {
  gateway.upstreams.transactions.answer = () => undefined;
  const left = Array.from({ length: CALLS }, () =>
    fetch(`${gateway.url}${PATH}`, {
      method: 'POST',
      headers: { authorization: 'fiado_test_the-key-of-the-wholesaler' },
      signal: AbortSignal.timeout(200),
    }).catch(() => undefined),
  );
  await Promise.all(left);
  await sleep(100);
  expect(await isOpen('transactions')).toBe(false);
});
