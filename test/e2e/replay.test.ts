import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFlight } from '@fiado/chassis/testing/in-flight';
import { createStore, createWholesaler, type Store, type Wholesaler } from './support/story';
import { waitFor } from './support/api';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();
afterEach(() => system.untilReady());
let wholesaler: Wholesaler;
beforeAll(async () => {
  wholesaler = await createWholesaler(system);
});

function post(store: Store, key: string, totalAmount = 1000) {
  return system.call(wholesaler.key, 'POST', '/transaction', {
    headers: { 'idempotency-key': key },
    body: {
      cornerStoreId: store.cornerStoreId,
      totalAmount,
      products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }],
    },
  });
}

async function available(store: Store): Promise<number> {
  return waitFor(async () => {
    const path = `/corner-store/external/${store.externalId}`;
    const { status, body } = await system.call(wholesaler.key, 'GET', path);
    return status === 200 ? body.creditLimitAvailable : undefined;
  });
}

it('50 parallel posts with one key have one effect and one answer; another body is refused', async () => {
  const store = await createStore(system, wholesaler);
  const key = randomUUID();

  const answers = await inFlight(Array.from({ length: 50 }, () => () => post(store, key)));

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  const other = await post(store, key, 2000);
  expect([other.status, other.body.errorCode]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect(await available(store)).toBe(9000);
});

it('a request that was killed in the middle has its effect once, and its first answer for ever', async () => {
  for (const killAfterMs of [1, 4, 8, 15, 30]) {
    const store = await createStore(system, wholesaler);
    const key = randomUUID();
    const first = post(store, key);
    await sleep(killAfterMs);
    system.kill('transactions');
    const interrupted = await first;
    expect([201, 503]).toContain(interrupted.status);

    const answer = await waitFor(async () => {
      const again = await post(store, key);
      expect([201, 503]).toContain(again.status);
      return again.status === 201 ? again : undefined;
    });

    const replay = await post(store, key);
    expect(replay.text).toBe(answer.text);
    if (interrupted.status === 201) expect(answer.text).toBe(interrupted.text);
    expect(await available(store)).toBe(9000);
  }
});
