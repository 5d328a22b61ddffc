import { AsyncLocalStorage } from 'node:async_hooks';
import { itemsOf, laneOf, turn } from '../../test/support/held-lane';
import { until } from '../testing/until';
import { NOT_LOCKED } from './lane';

type Outcome = number | typeof NOT_LOCKED;

it('an item leaves at the end of its turn of the event loop, with the other items of that turn', async () => {
  const { lane, batches } = laneOf();
  for (const item of itemsOf('a', 1, 2)) void lane.add(item);
  expect(batches).toEqual([]);
  await turn();
  expect(batches).toEqual([[1, 2]]);
});

it('items that arrive while a batch is in flight leave together', async () => {
  const { lane, batches, endBatch } = laneOf();
  for (const item of itemsOf('a', 1, 5)) {
    void lane.add(item);
    await turn();
  }
  expect(batches).toEqual([[1]]);
  await endBatch();
  expect(batches[1]).toEqual([2, 3, 4, 5]);
});

it('a second batch leaves while the first is slow, and a third does not', async () => {
  let time = 0;
  const { lane, batches } = laneOf({ now: () => time });
  for (const item of itemsOf('a', 1, 3)) {
    void lane.add(item);
    await turn();
    time += 50;
  }
  expect(batches).toEqual([[1], [2]]);
});

it('an item that waits behind a slow batch leaves although no other item comes, each time', async () => {
  const { lane, batches, endBatch } = laneOf({ now: () => performance.now() });
  for (let slow = 1; slow <= 2; slow += 1) {
    void lane.add({ id: 1, tenant: 'a' });
    await turn();
    void lane.add({ id: 2, tenant: 'a' });
    await until('the second batch is in flight', () => batches.length === 2 * slow);
    for (let at = 0; at < 2; at += 1) await endBatch();
  }
});

it('a lane that is held until 32 items wait makes one batch', async () => {
  const { lane, batches, endBatch } = laneOf();
  lane.pause();
  const results = itemsOf('a', 1, 32).map((item) => lane.add(item));
  await turn();
  expect(batches).toEqual([]);
  lane.resume();
  expect(batches).toHaveLength(1);
  await endBatch();
  expect(await Promise.all(results)).toEqual(itemsOf('a', 1, 32).map(({ id }) => id));
  expect(batches).toHaveLength(1);
});

it('batches in flight have at most one item of a key, and items of a key keep their order', async () => {
  const { lane, batches, endBatch } = laneOf();
  lane.pause();
  for (const [id, keys] of [['x'], ['x', 'y'], ['y'], ['z']].entries()) {
    void lane.add({ id, tenant: 'a', keys });
  }
  lane.resume();
  expect(batches).toEqual([[0, 3]]);
  await endBatch();
  expect(batches[1]).toEqual([1]);
  await endBatch();
  expect(batches[2]).toEqual([2]);
});

it('an item of another tenant leaves in the next batch, however many items wait before it', async () => {
  const { lane, batches, endBatch } = laneOf();
  for (const item of itemsOf('crowd', 1, 1_000)) void lane.add(item);
  await turn();
  void lane.add({ id: 5_000, tenant: 'neighbour' });
  await endBatch();
  expect(batches[1]).toHaveLength(64);
  expect(batches[1]).toContain(5_000);
});

it('an item whose rows are locked is refused when its deadline is over before it runs alone', async () => {
  let time = 0;
  const alone: number[] = [];
  const { lane, endBatch } = laneOf({
    now: () => time,
    run: async (items): Promise<Outcome[]> => items.map(() => NOT_LOCKED),
    runAlone: async ({ id }) => {
      alone.push(id);
      return id;
    },
  });
  const late = expect(lane.add({ id: 1, tenant: 'a' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  await turn();
  time = 8_001;
  await endBatch();
  await late;
  expect(alone).toEqual([]);
});

it('items whose rows are locked run alone, three at a time, and hold up no other item', async () => {
  const running: number[] = [];
  const ends: Array<() => void> = [];
  const { lane, batches, endBatch } = laneOf({
    run: async (items): Promise<Outcome[]> =>
      items.map(({ id, tenant }) => (tenant === 'locked' ? NOT_LOCKED : id)),
    runAlone: async ({ id }) => {
      running.push(id);
      await new Promise<void>((resolve) => ends.push(resolve));
      return id;
    },
  });
  lane.pause();
  const waiting = itemsOf('locked', 1, 4).map((item) =>
    lane.add({ ...item, keys: [`${item.id}`] }),
  );
  const free = lane.add({ id: 5, tenant: 'free' });
  lane.resume();
  await endBatch();
  expect(await free).toBe(5);
  expect(running).toEqual([1, 2, 3]);

  // Its key stays held while it runs alone.
  const second = lane.add({ id: 6, tenant: 'free', keys: ['1'] });
  await turn();
  expect(batches.at(-1)).not.toContain(6);
  ends.shift()?.();
  expect(await waiting[0]).toBe(1);
  await turn();
  expect(running).toEqual([1, 2, 3, 4]);
  await endBatch();
  expect(await second).toBe(6);
});

it('an item is refused when 2,000 wait, and when it has waited for five seconds', async () => {
  let time = 0;
  const { lane, endBatch } = laneOf({ now: () => time });
  void lane.add({ id: 9_998, tenant: 'a' });
  await turn();
  const results = itemsOf('a', 1, 2_000).map((item) => lane.add(item));
  await expect(lane.add({ id: 9_999, tenant: 'a' })).rejects.toThrow();
  const late = expect(results[0]).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  for (const result of results) result.catch(() => undefined);
  time += 5_001;
  await endBatch();
  await late;
});

it('a full lane refuses the newest item of the tenant with most, and takes that of another', async () => {
  const { lane } = laneOf();
  void lane.add({ id: 9_998, tenant: 'crowd' });
  await turn();
  const crowd = itemsOf('crowd', 1, 1_999).map((item) => lane.add(item));
  for (const result of crowd) result.catch(() => undefined);
  const newest = expect(crowd.at(-1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  let refused = 0;
  for (const tenant of ['neighbour', 'another']) {
    lane.add({ id: 9_999, tenant }).catch(() => (refused += 1));
  }
  await newest;
  await turn();
  expect(refused).toBe(0);
  expect(lane.size).toBe(2_000);
});

it('a full lane in which no tenant has more items than the one that comes refuses the new item', async () => {
  const { lane } = laneOf();
  void lane.add({ id: 9_998, tenant: 'a' });
  await turn();
  let refused = 0;
  for (const tenant of ['a', 'b']) {
    for (const item of itemsOf(tenant, 1, 1_000)) lane.add(item).catch(() => (refused += 1));
  }
  await expect(lane.add({ id: 9_999, tenant: 'b' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  await turn();
  expect(refused).toBe(0);
});

it('a batch belongs to no request', async () => {
  const request = new AsyncLocalStorage<string>();
  const seen: Array<string | undefined> = [];
  const { lane, endBatch } = laneOf({
    run: async (items) => {
      seen.push(request.getStore());
      return items.map(({ id }) => id);
    },
  });
  const results = [1, 2].map((id) => request.run('a request', () => lane.add({ id, tenant: 'a' })));
  await turn();
  await endBatch();
  await Promise.all(results);
  expect(seen).toEqual([undefined]);
});
