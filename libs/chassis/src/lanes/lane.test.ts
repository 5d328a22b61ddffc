import { until } from '../testing/until';
import { Lane, NOT_LOCKED, type LaneOptions } from './lane';

interface Item {
  id: number;
  tenant: string;
  keys?: string[];
}

type Outcome = number | typeof NOT_LOCKED;

/** Lets the lane see the end of a batch, and send the next. */
async function turn(): Promise<void> {
  for (let at = 0; at < 2; at += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A lane whose batches end when the test lets them, and the ids of the batches so far. */
function laneOf(options: Partial<LaneOptions<Item, number>> = {}) {
  const batches: number[][] = [];
  const ends: Array<() => void> = [];
  const lane = new Lane<Item, number>({
    name: 'test',
    tenantOf: ({ tenant }) => tenant,
    keysOf: ({ keys = [] }) => keys,
    ...options,
    run: async (items) => {
      batches.push(items.map(({ id }) => id));
      await new Promise<void>((resolve) => ends.push(resolve));
      return (await options.run?.(items)) ?? items.map(({ id }) => id);
    },
  });
  return {
    lane,
    batches,
    /** Ends the oldest batch in flight, and lets what follows from it happen. */
    endBatch: async () => {
      ends.shift()?.();
      await turn();
    },
  };
}

function itemsOf(tenant: string, from: number, count: number): Item[] {
  return Array.from({ length: count }, (_, at) => ({ id: from + at, tenant }));
}

const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });

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

it('an item that waits behind a slow batch leaves although no other item comes', async () => {
  const { lane, batches } = laneOf();
  void lane.add({ id: 1, tenant: 'a' });
  await turn();
  void lane.add({ id: 2, tenant: 'a' });
  await until('the second batch is in flight', () => batches.length === 2);
});

it('a lane that is held until 32 items wait makes one batch', async () => {
  const { lane, batches, endBatch } = laneOf();
  lane.pause();
  const results = itemsOf('a', 1, 32).map((item) => lane.add(item));
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

it('the item that a statement fails for is refused alone, and its tenant runs apart for a minute', async () => {
  let time = 0;
  const { lane, batches, endBatch } = laneOf({
    now: () => time,
    run: async (items) => {
      if (items.some(({ tenant }) => tenant === 'bad')) throw sqlError('22001');
      return items.map(({ id }) => id);
    },
  });
  lane.pause();
  const good = itemsOf('good', 1, 3).map((item) => lane.add(item));
  const refused = expect(lane.add({ id: 4, tenant: 'bad' })).rejects.toThrow('22001');
  lane.resume();
  for (let at = 0; at < 5; at += 1) await endBatch();
  expect(await Promise.all(good)).toEqual([1, 2, 3]);
  await refused;

  lane.pause();
  const next = lane.add({ id: 5, tenant: 'good' });
  const alsoRefused = expect(lane.add({ id: 6, tenant: 'bad' })).rejects.toThrow('22001');
  lane.resume();
  expect(batches.slice(-2)).toEqual([[5], [6]]);
  await endBatch();
  await endBatch();
  expect(await next).toBe(5);
  await alsoRefused;

  time += 60_001;
  lane.pause();
  void lane.add({ id: 7, tenant: 'good' });
  lane.add({ id: 8, tenant: 'bad' }).catch(() => undefined);
  lane.resume();
  expect(batches.at(-1)).toEqual([7, 8]);
});

it.each([
  ['55P03', 2_000],
  ['40P01', 1_000],
  ['57014', 5_000],
])('an item whose statement ends with %s after %i ms is repeated', async (code, ms) => {
  let time = 0;
  let failures = 0;
  const { lane, endBatch } = laneOf({
    now: () => time,
    run: async (items) => {
      failures += 1;
      if (failures > 1) return items.map(({ id }) => id);
      time += ms;
      throw sqlError(code);
    },
  });
  const result = lane.add({ id: 1, tenant: 'a' });
  await turn();
  await endBatch();
  await endBatch();
  expect(await result).toBe(1);
});

it('an item beside one whose deadline is over is repeated, not refused with the error of the other', async () => {
  let time = 0;
  let failures = 0;
  const { lane, batches, endBatch } = laneOf({
    now: () => time,
    run: async (items) => {
      failures += 1;
      if (failures > 1) return items.map(({ id }) => id);
      time = 8_001;
      throw sqlError('22001');
    },
  });
  lane.pause();
  const late = expect(lane.add({ id: 1, tenant: 'a' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  time = 4_000;
  const good = lane.add({ id: 2, tenant: 'b' });
  good.catch(() => undefined);
  lane.resume();
  await endBatch();
  await late;
  await endBatch();
  expect(await good).toBe(2);
  expect(batches).toEqual([[1, 2], [2]]);
});

/** A lane whose statements time out, the first after five seconds, while `slow` has an item in them. */
function laneWithSlowTenant() {
  let time = 0;
  return laneOf({
    now: () => time,
    run: async (items) => {
      if (!items.some(({ tenant }) => tenant === 'slow')) return items.map(({ id }) => id);
      time = 5_000;
      throw sqlError('57014');
    },
  });
}

it('after a batch timed out, the items of each tenant run alone, and the slow one is refused', async () => {
  const { lane, batches, endBatch } = laneWithSlowTenant();
  lane.pause();
  const slow = expect(lane.add({ id: 1, tenant: 'slow' })).rejects.toThrow('57014');
  const good = itemsOf('a', 2, 3).map((item) => lane.add(item));
  good.push(...itemsOf('b', 5, 2).map((item) => lane.add(item)));
  for (const result of good) result.catch(() => undefined);
  lane.resume();
  await endBatch();
  // One statement of each tenant at a time.
  expect(batches.slice(1)).toEqual([[1], [2], [5]]);
  for (let at = 0; at < 8; at += 1) await endBatch();
  await slow;
  expect(await Promise.all(good)).toEqual([2, 3, 4, 5, 6]);
});

it('the tenant of an item that timed out runs apart, also where the item was alone', async () => {
  const { lane, batches, endBatch } = laneWithSlowTenant();
  const slow = expect(lane.add({ id: 1, tenant: 'slow' })).rejects.toThrow('57014');
  await turn();
  for (let at = 0; at < 3; at += 1) await endBatch();
  await slow;
  lane.pause();
  lane.add({ id: 2, tenant: 'slow' }).catch(() => undefined);
  void lane.add({ id: 3, tenant: 'a' });
  lane.resume();
  expect(batches.slice(-2)).toEqual([[3], [2]]);
});

it('tenants that run apart do not wait for each other', async () => {
  const failed = new Set<string>();
  const { lane, batches, endBatch } = laneOf({
    run: async (items) => {
      const isFirst = items.some(({ tenant }) => !failed.has(tenant));
      for (const { tenant } of items) failed.add(tenant);
      if (isFirst) throw sqlError('57014');
      return items.map(({ id }) => id);
    },
  });
  for (const [id, tenant] of ['a', 'b'].entries()) {
    void lane.add({ id, tenant });
    await turn();
    for (let at = 0; at < 2; at += 1) await endBatch();
  }
  for (const [id, tenant] of ['a', 'b', 'a', 'b'].entries()) void lane.add({ id: 10 + id, tenant });
  await turn();
  expect(batches.slice(4)).toEqual([
    [10, 12],
    [11, 13],
  ]);
});

it('an item that runs apart waits for an earlier item of its key, and sends nothing meanwhile', async () => {
  const { lane, batches, endBatch } = laneWithSlowTenant();
  lane.add({ id: 1, tenant: 'slow' }).catch(() => undefined);
  await turn();
  for (let at = 0; at < 3; at += 1) await endBatch();
  void lane.add({ id: 2, tenant: 'a' });
  await turn();
  void lane.add({ id: 3, tenant: 'a', keys: ['x'] });
  lane.add({ id: 4, tenant: 'slow', keys: ['x'] }).catch(() => undefined);
  await endBatch();
  expect(batches.slice(3)).toEqual([[2], [3]]);
  await endBatch();
  expect(batches.slice(5)).toEqual([[4]]);
});

it('items that are repeated after a time-out take no place of a batch', async () => {
  const { lane, batches, endBatch } = laneWithSlowTenant();
  lane.pause();
  for (const tenant of ['slow', 'a']) lane.add({ id: 1, tenant, keys: [tenant] }).catch(() => 0);
  lane.resume();
  await endBatch();
  expect(batches).toEqual([[1, 1], [1], [1]]);
  void lane.add({ id: 2, tenant: 'b' });
  await turn();
  expect(batches.slice(3)).toEqual([[2]]);
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

it.each(['Connection terminated', 'EPIPE', '57P01', '08006'])(
  'a batch that ends with %s is not repeated, because it may have taken effect',
  async (code) => {
    const { lane, batches, endBatch } = laneOf({
      run: async () => {
        throw code.includes(' ') ? new Error(code) : sqlError(code);
      },
    });
    lane.pause();
    const results = itemsOf('a', 1, 2).map((item) => expect(lane.add(item)).rejects.toThrow(code));
    lane.resume();
    await endBatch();
    await Promise.all(results);
    expect(batches).toEqual([[1, 2]]);
  },
);

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
  const crowd = itemsOf('crowd', 1, 2_000).map((item) => lane.add(item));
  for (const result of crowd) result.catch(() => undefined);
  const newest = expect(crowd.at(-1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  let isRefused = false;
  lane.add({ id: 9_999, tenant: 'neighbour' }).catch(() => (isRefused = true));
  await newest;
  await turn();
  expect(isRefused).toBe(false);
  expect(lane.size).toBe(2_000);
});
