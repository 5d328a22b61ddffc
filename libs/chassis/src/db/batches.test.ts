import { Batches, SharedRounds } from './batches';

/** A database whose statements are answered by hand. */
function database(write: (rows: string[]) => void = () => {}) {
  const statements: Array<{ rows: string[]; answer: () => void }> = [];
  const batches = new Batches<string>(async (rows) => {
    await new Promise<void>((resolve) => statements.push({ rows, answer: resolve }));
    write(rows);
  });
  return { batches, statements };
}

const settled = () => new Promise(setImmediate);

test('a row that is alone is written at once, and those that come meanwhile together', async () => {
  const { batches, statements } = database();
  const first = batches.add('a');
  const later = ['b', 'c', 'd'].map((row) => batches.add(row));
  expect(statements.map(({ rows }) => rows)).toEqual([['a']]);
  statements[0]?.answer();
  await first;
  await settled();
  expect(statements.map(({ rows }) => rows)).toEqual([['a'], ['b', 'c', 'd']]);
  const done = jest.fn();
  void Promise.all(later).then(done);
  await settled();
  expect(done).not.toHaveBeenCalled();
  statements[1]?.answer();
  await Promise.all(later);
});

test('a bad row fails by itself, and the others of its statement are stored', async () => {
  const stored: string[] = [];
  const { batches, statements } = database((rows) => {
    if (rows.includes('bad')) throw new Error('a bad row');
    stored.push(...rows);
  });
  const first = batches.add('a');
  const outcomes = Promise.allSettled(['b', 'bad', 'c'].map((row) => batches.add(row)));
  statements[0]?.answer();
  await first;
  await settled();
  statements[1]?.answer();
  await settled();
  for (const { answer } of statements.slice(2)) answer();
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(stored).toEqual(['a', 'b', 'c']);
});

test('all rows of a statement fail when the database is unavailable, and the next ones are tried', async () => {
  let isDown = true;
  const written: string[][] = [];
  const batches = new Batches<string>(async (rows) => {
    written.push(rows);
    await settled();
    if (isDown) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  });
  const rows = ['a', 'b', 'c'].map((row) => batches.add(row));
  await expect(Promise.allSettled(rows)).resolves.toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
    { status: 'rejected' },
  ]);
  expect(written).toEqual([['a'], ['b', 'c']]);
  isDown = false;
  await batches.add('d');
});

describe('SharedRounds', () => {
  it('never returns work that began before the request', async () => {
    const rounds = new SharedRounds();
    const begun: Array<() => void> = [];
    const work = () => new Promise<void>((resolve) => begun.push(resolve));

    const first = rounds.run('k', work);
    const followers = Array.from({ length: 10 }, () => rounds.run('k', work));
    expect(begun).toHaveLength(1);

    begun[0]?.();
    await first;
    await new Promise(setImmediate);
    // All ten share the second round, which began after they asked.
    expect(begun).toHaveLength(2);
    begun[1]?.();
    await Promise.all(followers);

    void rounds.run('k', work);
    expect(begun).toHaveLength(3);
  });

  it('keeps keys apart and starts afresh after a failure', async () => {
    const rounds = new SharedRounds();
    await expect(rounds.run('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    let ran = 0;
    const count = () => Promise.resolve(void (ran += 1));
    await Promise.all([rounds.run('a', count), rounds.run('b', count)]);
    expect(ran).toBe(2);
  });
});
