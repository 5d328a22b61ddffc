import type { RequestListener, ServerResponse } from 'node:http';
import { metricsText } from '@fiado/chassis/metrics';
import { wholesaler } from '@fiado/chassis/testing/callers';
import { TEST_TIMING } from '@fiado/chassis/testing/timing';
import { until } from '@fiado/chassis/testing/until';
import { DEFAULT_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { PLACES, RECENT_BESIDE_OTHERS } from '../src/forwarding/caller-turns';
import { openConnection } from './support/raw-connection';
import { KEY, startTestGateway, type TestGateway } from './support/test-gateway';

const NEIGHBOUR = 'fiado_test_the-key-of-the-neighbour';
const SECOND_KEY = 'fiado_test_a-second-key-of-the-wholesaler';
/** A busy machine fills the places and the line in less than what is left of it after LATE_PART. */
const DEADLINE_MS = 20_000;
/** Of the deadline, the part that is over when those who waited come to the service. */
const LATE_PART = 0.55;
/** More than a breaker remembers. */
const LATER_MS = 20_000;

let gateway: TestGateway;
/** Requests that transactions works on. */
let held: ServerResponse[];
const hold: RequestListener = (_req, res) => void held.push(res);
const finish = (res: ServerResponse | undefined): void => void res?.end('{}');

beforeEach(async () => {
  held = [];
  gateway = await startTestGateway({ timing: { ...TEST_TIMING, forward: DEADLINE_MS } });
  const caller = gateway.callers.get(KEY) ?? wholesaler();
  gateway.callers.set(SECOND_KEY, caller).set(NEIGHBOUR, wholesaler());
  gateway.upstreams.transactions.answer = hold;
});
afterEach(() => gateway.stop());

const order = (key = KEY) => gateway.call('POST', '/v1/transaction', { key, body: {} });
const orders = (count: number) => Array.from({ length: count }, () => order());
const untilHeld = (count: number) =>
  until(`${count} are held`, () => gateway.seenBy('transactions').length === count);
const untilWaiting = (count: number) =>
  until(`${count} wait`, async () => (await heldBack()) === count);

/** Requests that the gateway holds back, by its metrics. */
async function heldBack(): Promise<number> {
  const line = /fiado_gateway_upstream_requests\{upstream="transactions",state="held"\} (\d+)/;
  return Number(line.exec(await metricsText())?.[1]);
}

/** An order on a connection that its caller closes. */
async function orderThatLeaves(): Promise<() => void> {
  const connection = await openConnection(gateway.url);
  connection.write(
    `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\nContent-Length: 2\r\n\r\n{}`,
  );
  return () => connection.destroy();
}

it('a request beyond the places of its caller waits until one of them is free, and no other caller does', async () => {
  const first = orders(RECENT_BESIDE_OTHERS);
  await untilHeld(RECENT_BESIDE_OTHERS);
  const neighbours = [order(NEIGHBOUR)];
  await untilHeld(RECENT_BESIDE_OTHERS + 1);
  const next = order();
  const ofSecondKey = order(SECOND_KEY);
  await untilWaiting(2);

  neighbours.push(order(NEIGHBOUR));
  await untilHeld(RECENT_BESIDE_OTHERS + 2);
  for (const res of held.splice(-2)) finish(res);
  expect((await Promise.all(neighbours)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await heldBack()).toBe(2);

  finish(held.shift());
  await untilHeld(RECENT_BESIDE_OTHERS + 3);
  expect(await heldBack()).toBe(1);
  finish(held.shift());
  await untilHeld(RECENT_BESIDE_OTHERS + 4);
  for (const res of held) finish(res);
  const answers = await Promise.all([...first, next, ofSecondKey]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

it('those that read hold up none that write', async () => {
  const reads = Array.from({ length: PLACES + 1 }, () => gateway.call('GET', '/v1/transaction'));
  await untilHeld(PLACES);
  await untilWaiting(1);

  const written = order();
  await untilHeld(PLACES + 1);
  gateway.upstreams.transactions.answer = (_req, res) => finish(res);
  for (const res of held) finish(res);
  expect((await written).status).toBe(200);
  await Promise.all(reads);
});

it('a caller who leaves frees its place, and does not reach the service if it waited', async () => {
  const leave = await orderThatLeaves();
  await untilHeld(1);
  const others = orders(PLACES - 1);
  await untilHeld(PLACES);
  const leaveQueue = await orderThatLeaves();
  await untilWaiting(1);
  const next = order();
  await untilWaiting(2);

  leaveQueue();
  await untilWaiting(1);
  leave();
  await untilHeld(PLACES + 1);
  for (const res of held) finish(res);
  expect((await next).status).toBe(200);
  await Promise.all(others);
  expect(gateway.seenBy('transactions')).toHaveLength(PLACES + 1);
});

const LONG_CHUNK = 'x'.repeat(DEFAULT_BODY_LIMIT);

it('one that waits and is too long for its route is a 413 in its turn, and the next one goes on', async () => {
  const first = orders(RECENT_BESIDE_OTHERS);
  await untilHeld(RECENT_BESIDE_OTHERS);
  gateway.upstreams.transactions.answer = (req, res) =>
    void req.resume().once('end', () => finish(res));
  expect((await order(NEIGHBOUR)).status).toBe(200);
  const long = await openConnection(gateway.url);
  long.write(
    `POST /v1/transaction HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY}\r\n` +
      `Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n${LONG_CHUNK.length.toString(16)}\r\n${LONG_CHUNK}\r\n`,
  );
  await untilWaiting(1);
  const next = order();
  await untilWaiting(2);
  expect((await order(NEIGHBOUR)).status).toBe(200);
  expect(await heldBack()).toBe(2);

  finish(held.shift());
  expect(await long.received('PAYLOAD_TOO_LARGE')).toMatch(/^HTTP\/1\.1 413 /);
  expect((await next).status).toBe(200);
  for (const res of held) finish(res);
  const answers = await Promise.all(first);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

it('one that waited for most of its deadline is a 503 in time, and no failure of the service', async () => {
  const begun: ServerResponse[] = [];
  gateway.upstreams.transactions.answer = (_req, res) => {
    res.write('{');
    begun.push(res);
  };
  const first = orders(PLACES);
  await until('all have begun', () => begun.length === PLACES);
  const late = orders(PLACES);
  await untilWaiting(PLACES);
  const startedAt = performance.now();

  gateway.upstreams.transactions.answer = hold;
  const isLate = () => performance.now() - startedAt > DEADLINE_MS * LATE_PART;
  await until('most of the deadline is over', isLate);
  for (const res of begun) res.end('}');
  await Promise.all(first);
  // The breaker judges by what follows.
  gateway.advance(LATER_MS);
  const answers = await Promise.all(late);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers[0]?.headers.get('retry-after')).toBe('2');
  expect(held).toHaveLength(PLACES);
  expect(await heldBack()).toBe(0);
  expect(await metricsText()).toContain(
    'fiado_breaker_open{upstream="transactions",use="forward"} 0',
  );
});
