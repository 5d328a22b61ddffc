import { itemsOf, laneOf, sqlError, turn } from '../../test/support/held-lane';

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

  time = 59_999;
  lane.pause();
  const next = lane.add({ id: 5, tenant: 'good' });
  const alsoRefused = expect(lane.add({ id: 6, tenant: 'bad' })).rejects.toThrow('22001');
  lane.resume();
  expect(batches.slice(-2)).toEqual([[5], [6]]);
  await endBatch();
  await endBatch();
  expect(await next).toBe(5);
  await alsoRefused;

  time += 60_000;
  lane.pause();
  void lane.add({ id: 7, tenant: 'good' });
  lane.add({ id: 8, tenant: 'bad' }).catch(() => undefined);
  lane.resume();
  expect(batches.at(-1)).toEqual([7, 8]);
});

it.each([
  ['55P03', 2_000],
  ['40001', 10],
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

it('an item that is eight seconds old is not repeated', async () => {
  let time = 0;
  const { lane, batches, endBatch } = laneOf({
    now: () => time,
    run: async () => {
      time = 8_001;
      throw sqlError('57014');
    },
  });
  const refused = expect(lane.add({ id: 1, tenant: 'a' })).rejects.toThrow('57014');
  await turn();
  for (let at = 0; at < 2; at += 1) await endBatch();
  await refused;
  expect(batches).toEqual([[1]]);
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
  const good = itemsOf('b', 2, 2).map((item) => lane.add(item));
  for (const result of good) result.catch(() => undefined);
  lane.resume();
  await endBatch();
  await late;
  for (let at = 0; at < 2; at += 1) await endBatch();
  expect(await Promise.all(good)).toEqual([2, 3]);
  expect(batches).toEqual([[1, 2, 3], [2], [3]]);
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

it('the tenant of an item that was alone when it failed does not run apart, unless it timed out', async () => {
  const { lane, batches, endBatch } = laneOf({
    run: async (items) => {
      if (items.length === 1) throw sqlError('22001');
      return items.map(({ id }) => id);
    },
  });
  const refused = expect(lane.add({ id: 1, tenant: 'bad' })).rejects.toThrow('22001');
  await turn();
  await endBatch();
  await refused;
  void lane.add({ id: 2, tenant: 'bad' });
  void lane.add({ id: 3, tenant: 'good' });
  await turn();
  expect(batches).toEqual([[1], [2, 3]]);
});

it('of the tenants that run apart three have a batch in flight, one each, beside that of the others', async () => {
  const failed = new Set<string>();
  const { lane, batches, endBatch } = laneOf({
    run: async (items) => {
      const isFirst = items.some(({ tenant }) => tenant !== 'good' && !failed.has(tenant));
      for (const { tenant } of items) failed.add(tenant);
      if (isFirst) throw sqlError('57014');
      return items.map(({ id }) => id);
    },
  });
  const tenants = ['a', 'b', 'c', 'd'];
  for (const tenant of tenants) {
    void lane.add({ id: 0, tenant });
    await turn();
    for (let at = 0; at < 2; at += 1) await endBatch();
  }
  batches.length = 0;
  for (const [id, tenant] of [...tenants, ...tenants].entries()) void lane.add({ id, tenant });
  await turn();
  void lane.add({ id: 8, tenant: 'a' });
  void lane.add({ id: 9, tenant: 'good' });
  await turn();
  expect(batches).toEqual([[0, 4], [1, 5], [2, 6], [9]]);
  await endBatch();
  expect(batches.slice(4)).toEqual([[3, 7]]);
  await endBatch();
  expect(batches.slice(5)).toEqual([[8]]);
});

it.each([1, 2])(
  'where %i items that run apart time out, they are repeated in their place',
  async (count) => {
    const { lane, batches, endBatch } = laneWithSlowTenant();
    lane.add({ id: 1, tenant: 'slow' }).catch(() => undefined);
    await turn();
    for (let at = 0; at < 3; at += 1) await endBatch();
    const again = itemsOf('slow', 10, count);
    for (const item of again) lane.add(item).catch(() => undefined);
    await turn();
    await endBatch();
    lane.add({ id: 20, tenant: 'slow' }).catch(() => undefined);
    await turn();
    expect(batches.slice(3)).toEqual([again.map(({ id }) => id), [10]]);
  },
);

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

it('an item that is repeated alone takes no place of a batch', async () => {
  let failures = 0;
  const { lane, batches, endBatch } = laneOf({
    run: async (items) => {
      failures += 1;
      if (failures === 1) throw sqlError('40P01');
      return items.map(({ id }) => id);
    },
  });
  void lane.add({ id: 1, tenant: 'a' });
  await turn();
  await endBatch();
  void lane.add({ id: 2, tenant: 'b' });
  await turn();
  expect(batches).toEqual([[1], [1], [2]]);
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
