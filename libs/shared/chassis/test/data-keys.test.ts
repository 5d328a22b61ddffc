import { query } from '../src/db/query';
import { newestHeldByAll, putDataKeys, readDataKeys } from '../src/keys/data-key-rows';
import { createSealer } from '../src/keys/sealing';
import { createTestSealer } from '../src/testing/sealed-columns';
import { createKeyDatabase, SECRET, type KeyDatabase } from './support/data-keys';

const NEW = 'a-new-encryption-key-0123456789-abcdefg';
const OTHER = 'another-encryption-key-0123456789-abcde';

let keys: KeyDatabase;
beforeAll(async () => {
  keys = await createKeyDatabase();
});
beforeEach(() => keys.clear());
afterAll(() => keys.drop());

describe('key 0', () => {
  it('is the same in each service, and so is the index', async () => {
    const sealed = createTestSealer(SECRET).seal('Ana', 'name', 'row-1');
    const sealer = createSealer((await keys.open(SECRET)).keys);
    expect(sealer.open(sealed, 'name', 'row-1')).toBe('Ana');
    expect(sealer.blindIndex('x', 'p')).toEqual(createTestSealer(SECRET).blindIndex('x', 'p'));
  });

  it('stays the old secret’s when ENCRYPTION_KEY is changed before the keys are made', async () => {
    await keys.open(SECRET);
    await query(keys.db, 'DELETE FROM data_keys');
    const sealed = createTestSealer(SECRET).seal('Ana', 'name', 'row-1');
    const opened = await keys.open(NEW, SECRET);
    expect(createSealer(opened.keys).open(sealed, 'name', 'row-1')).toBe('Ana');
  });

  it('is made once by two processes that start together', async () => {
    const [first, second] = await Promise.all([keys.open(SECRET), keys.open(SECRET)]);
    const sealed = createSealer(first.keys).seal('Ana', 'name', 'row-1');
    expect(createSealer(second.keys).open(sealed, 'name', 'row-1')).toBe('Ana');
    expect(await readDataKeys(keys.db)).toHaveLength(2);
  });
});

describe('a new ENCRYPTION_KEY', () => {
  it('takes the data keys over from the previous one, which is then not needed', async () => {
    const sealed = createSealer((await keys.open(SECRET)).keys).seal('Ana', 'name', 'row-1');
    await keys.open(NEW, SECRET);
    const opened = await keys.open(NEW);
    expect(createSealer(opened.keys).open(sealed, 'name', 'row-1')).toBe('Ana');
    await expect(keys.open(SECRET)).rejects.toThrow('ENCRYPTION_KEY_PREVIOUS opens the data keys');
  });

  it('that is wrong is refused at the start, and changes nothing', async () => {
    await keys.open(SECRET);
    const before = await readDataKeys(keys.db);
    await expect(keys.open(OTHER)).rejects.toThrow(/^ENCRYPTION_KEY: neither it nor/);
    await expect(keys.open(OTHER, NEW)).rejects.toThrow(/^ENCRYPTION_KEY: neither it nor/);
    expect(await readDataKeys(keys.db)).toEqual(before);
  });

  it('that is wrong is refused before the first data key is made', async () => {
    await keys.open(SECRET);
    await query(keys.db, 'DELETE FROM data_keys');
    await expect(keys.open(OTHER)).rejects.toThrow('ENCRYPTION_KEY: not the secret');
    expect(await readDataKeys(keys.db)).toEqual([]);
  });
});

describe('a new data key', () => {
  it('is held by all once every process has read it, without those that are gone', async () => {
    const processes = await Promise.all([keys.open(SECRET), keys.open(SECRET), keys.open(SECRET)]);
    const [first, second, third] = processes;
    await keys.addKey(1);
    expect(await newestHeldByAll(keys.db)).toBe(0);
    await first?.refresh();
    expect(await newestHeldByAll(keys.db)).toBe(0);
    await second?.refresh();
    await third?.close();
    expect(await newestHeldByAll(keys.db)).toBe(1);
    await query(keys.db, `UPDATE data_key_holders SET seen_at = now() - interval '2 minutes'`);
    expect(await newestHeldByAll(keys.db)).toBe(-1);
  });

  it('seals from the moment that the database says so', async () => {
    const process = await keys.open(SECRET);
    const sealer = createSealer(process.keys);
    await keys.addKey(1);
    await process.refresh();
    expect(process.keys.sealingNumber).toBe(0);
    await keys.sealWith(1);
    await process.refresh();
    expect(sealer.seal('Ana', 'name', 'row-1').readUInt32BE()).toBe(1);
  });

  it('that does not open leaves the other keys in use, and is not held', async () => {
    const process = await keys.open(SECRET);
    await keys.addKey(1, OTHER);
    await process.refresh();
    expect(process.keys.newestOpened).toBe(0);
    expect(await newestHeldByAll(keys.db)).toBe(0);
    expect(process.keys.sealingNumber).toBe(0);
  });

  it('is not opened any more after it is retired, and does not come back', async () => {
    const process = await keys.open(SECRET);
    await keys.addKey(1);
    await putDataKeys(keys.db, [{ kind: 'seal', number: 1, wrapped: null, isSealing: false }]);
    await keys.addKey(1);
    await process.refresh();
    expect(process.keys.newestOpened).toBe(0);
  });
});
