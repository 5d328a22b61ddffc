import { Lane, NOT_LOCKED, type LaneOptions } from './lane';

interface Item {
  id: number;
  tenant: string;
  keys?: string[];
}

type Outcome = number | typeof NOT_LOCKED;

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
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function itemsOf(tenant: string, from: number, count: number): Item[] {
  return Array.from({ length: count }, (_, at) => ({ id: from + at, tenant }));
}

const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });

it('an item leaves at once while nothing is in flight', () => {
  const { lane, batches } = laneOf();
  void lane.add({ id: 1, tenant: 'a' });
  expect(batches).toEqual([[1]]);
});

it('items that arrive while two batches are in flight leave together', async () => {
  const { lane, batches, endBatch } = laneOf();
  for (const item of itemsOf('a', 1, 10)) void lane.add(item);
  expect(batches).toEqual([[1], [2]]);
  await endBatch();
  expect(batches[2]).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
});

it('a lane with one place has one batch in flight', async () => {
  const { lane, batches, endBatch } = laneOf({ inFlight: 1 });
  for (const item of itemsOf('a', 1, 10)) void lane.add(item);
  expect(batches).toEqual([[1]]);
  await endBatch();
  expect(batches[1]).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it('a lane that is held until 32 items wait makes one batch', async () => {
  const { lane, batches, endBatch } = laneOf();
  lane.pause();
  const results = itemsOf('a', 1, 32).map((item) => lane.add(item));
  expect(batches).toEqual([]);
  lane.resume();
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
  void lane.add({ id: 5_000, tenant: 'neighbour' });
  await endBatch();
  expect(batches[2]).toHaveLength(64);
  expect(batches[2]).toContain(5_000);
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

it.each(['55P03', '40P01', '57014'])('a batch that ends with %s is repeated', async (code) => {
  let failures = 0;
  const { lane, endBatch } = laneOf({
    run: async (items) => {
      failures += 1;
      if (failures === 1) throw sqlError(code);
      return items.map(({ id }) => id);
    },
  });
  const result = lane.add({ id: 1, tenant: 'a' });
  await endBatch();
  await endBatch();
  expect(await result).toBe(1);
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
  expect(batches.at(-1)).not.toContain(6);
  ends.shift()?.();
  expect(await waiting[0]).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(running).toEqual([1, 2, 3, 4]);
  await endBatch();
  expect(await second).toBe(6);
});

it('an item is refused when 2,000 wait, and when it has waited for five seconds', async () => {
  let time = 0;
  const { lane, endBatch } = laneOf({ now: () => time });
  const results = itemsOf('a', 1, 2_002).map((item) => lane.add(item));
  await expect(lane.add({ id: 9_999, tenant: 'a' })).rejects.toThrow();
  const late = expect(results[2]).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  for (const result of results) result.catch(() => undefined);
  time += 5_001;
  await endBatch();
  await late;
});

it('a full lane refuses the newest item of the tenant with most, and takes that of another', async () => {
  const { lane } = laneOf();
  const crowd = itemsOf('crowd', 1, 2_002).map((item) => lane.add(item));
  for (const result of crowd) result.catch(() => undefined);
  const newest = expect(crowd.at(-1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  let isRefused = false;
  lane.add({ id: 9_999, tenant: 'neighbour' }).catch(() => (isRefused = true));
  await newest;
  await new Promise((resolve) => setImmediate(resolve));
  expect(isRefused).toBe(false);
  expect(lane.size).toBe(2_000);
});
