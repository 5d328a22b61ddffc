import { randomUUID } from 'node:crypto';
import { query } from '../src/db/query';
import { sealPages, type Reseal } from '../src/keys/reseal';
import { claimPage, countOldRows, type SealedTable } from '../src/keys/sealed-tables';
import { createSealer, type Sealer } from '../src/keys/sealing';
import { until } from '../src/testing/until';
import { createKeyDatabase, SECRET, type KeyDatabase } from './support/data-keys';

const PEOPLE: SealedTable = {
  table: 'people',
  id: 'id',
  columns: [
    { column: 'name', purpose: 'name' },
    { column: 'phone', purpose: 'phone' },
  ],
};

const FILES: SealedTable = { table: 'people', id: 'id', columns: [], hasFiles: true };

let keys: KeyDatabase;
beforeAll(async () => {
  keys = await createKeyDatabase();
});
beforeEach(() => keys.clear());
afterAll(() => keys.drop());

describe('the loop that seals anew', () => {
  let sealer: Sealer;
  let work: Reseal;
  const ids: string[] = [];

  /** 501 people, more than a page, sealed with key 0; then key 1 seals, and has for a while. */
  beforeEach(async () => {
    const process = await keys.open(SECRET);
    sealer = createSealer(process.keys);
    work = { db: keys.db, log: keys.log, sealer, tables: [PEOPLE] };
    ids.splice(0, ids.length, ...Array.from({ length: 501 }, () => randomUUID()).toSorted());
    await query(
      keys.db,
      'INSERT INTO people SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[])',
      [
        ids,
        ids.map((id) => sealer.seal('Ana', 'name', id)),
        ids.map((id) => sealer.seal('+525512345678', 'phone', id)),
      ],
    );
    await keys.addKey(1);
    await keys.sealWith(1);
    await process.refresh();
    await query(keys.db, `UPDATE data_keys SET sealing_from = now() - interval '6 minutes'`);
  });

  /** Leaves the first ones, where the size of a page does not count. */
  async function keepPeople(count: number): Promise<void> {
    ids.splice(count);
    await query(keys.db, 'DELETE FROM people WHERE id <> ALL($1)', [ids]);
  }

  async function keyNumbers(): Promise<number[]> {
    const rows = await query<{ name: Buffer; phone: Buffer }>(
      keys.db,
      'SELECT name, phone FROM people',
    );
    const values = rows.flatMap(({ name, phone }) => [name, phone]);
    return [...new Set(values.map((value) => value.readUInt32BE()))];
  }

  /** The loop of another process on a table of files, 20 a page: it waits at each one for release(). */
  function slowLoop() {
    const read: string[] = [];
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const sealFile = async (id: string): Promise<void> => {
      read.push(id);
      await released;
    };
    const nextPage = () => sealPages({ ...work, tables: [FILES], sealFile });
    const allPages = async (): Promise<void> => {
      while ((await countOldRows(keys.db, FILES)) > 0) await nextPage();
    };
    return { read, release, nextPage, allPages };
  }

  async function allRounds(): Promise<void> {
    while (await sealPages(work));
  }

  it('reads each row once, and the count of old rows reaches 0', async () => {
    expect(await countOldRows(keys.db, PEOPLE)).toBe(501);
    expect(await sealPages(work)).toBe(true);
    expect(await countOldRows(keys.db, PEOPLE)).toBe(1);
    await allRounds();
    expect(await countOldRows(keys.db, PEOPLE)).toBe(0);
    expect(await keyNumbers()).toEqual([1]);
    const [row] = await query<{ name: Buffer }>(keys.db, 'SELECT * FROM people WHERE id = $1', [
      ids[7],
    ]);
    expect(sealer.open(row?.name ?? Buffer.alloc(0), 'name', ids[7] ?? '')).toBe('Ana');
  });

  it('waits while processes may still seal with the key before', async () => {
    await keepPeople(5);
    await query(keys.db, `UPDATE data_keys SET sealing_from = now() - interval '4 minutes'`);
    expect(await sealPages(work)).toBe(false);
    expect(await countOldRows(keys.db, PEOPLE)).toBe(5);
  });

  it('goes on where a killed process stopped, once its lease has ended', async () => {
    await sealPages(work);
    // Claimed, and then nothing more.
    expect(await claimPage(keys.db, PEOPLE.table, 1)).toMatchObject({ after: ids[499] });
    expect(await sealPages(work)).toBe(false);
    await query(keys.db, `UPDATE sealed_tables SET leased_until = now() - interval '1 second'`);
    await allRounds();
    expect(await keyNumbers()).toEqual([1]);
    expect(await countOldRows(keys.db, PEOPLE)).toBe(0);
  });

  it('shares its pages with the loop of another process, so that each row is read once', async () => {
    await keepPeople(81);
    const [first, second] = [slowLoop(), slowLoop()];
    const firstPage = first.nextPage();
    await until('the first loop reads its page', () => first.read.length > 0);
    expect(await second.nextPage()).toBe(false);
    first.release();
    expect(await firstPage).toBe(true);

    const secondPage = second.nextPage();
    await until('the second loop reads its page', () => second.read.length > 0);
    expect(await first.nextPage()).toBe(false);
    second.release();
    await secondPage;
    await Promise.all([first.allPages(), second.allPages()]);
    expect([...first.read, ...second.read].toSorted()).toEqual(ids);
    expect(await countOldRows(keys.db, FILES)).toBe(0);
  });

  it('does not set back the place of the process that took its page over', async () => {
    await keepPeople(81);
    const [first, second] = [slowLoop(), slowLoop()];
    second.release();
    const firstPage = first.nextPage();
    await until('the first loop reads its page', () => first.read.length > 0);
    await query(keys.db, `UPDATE sealed_tables SET leased_until = now() - interval '1 second'`);
    for (let page = 0; page < 2; page += 1) expect(await second.nextPage()).toBe(true);
    const ahead = await countOldRows(keys.db, FILES);
    first.release();
    await firstPage;
    expect(await countOldRows(keys.db, FILES)).toBe(ahead);
  });

  it('does not undo a change that was made after it read the row', async () => {
    await keepPeople(5);
    const [id = ''] = ids;
    const changed = sealer.seal('Eva', 'name', id);
    // In an object: a database transaction would wait for the loop itself.
    const { sealing } = await keys.db.transaction(async (tx) => {
      await query(tx, 'UPDATE people SET name = $2 WHERE id = $1', [id, changed]);
      let isOver = false;
      const page = { sealing: sealPages(work).finally(() => (isOver = true)) };
      // The loop waits two seconds for the row, and passes it over: on a busy machine nobody may have looked by then.
      await until('the loop waits for the row, or is over', async () => {
        const waiting = await query(
          keys.db,
          `SELECT FROM pg_stat_activity WHERE datname = current_database()
              AND wait_event_type = 'Lock' AND query LIKE 'UPDATE people%'`,
        );
        return isOver || waiting.length > 0;
      });
      return page;
    });
    await sealing;
    const [row] = await query<{ name: Buffer }>(keys.db, 'SELECT name FROM people WHERE id = $1', [
      id,
    ]);
    expect(row?.name).toEqual(changed);
  });

  it('counts a row that does not open, seals the others, and tries it again after an hour', async () => {
    await keepPeople(5);
    await query(keys.db, 'UPDATE people SET name = $2 WHERE id = $1', [ids[3], Buffer.alloc(60)]);
    await allRounds();
    expect(await countOldRows(keys.db, PEOPLE)).toBe(1);
    const mended = sealer.seal('Ana', 'name', ids[3] ?? '');
    await query(keys.db, 'UPDATE people SET name = $2 WHERE id = $1', [ids[3], mended]);
    await query(keys.db, `UPDATE sealed_tables SET finished_at = now() - interval '61 minutes'`);
    await allRounds();
    expect(await countOldRows(keys.db, PEOPLE)).toBe(0);
    expect(await keyNumbers()).toEqual([1]);
  });

  it('begins again for the next key', async () => {
    await keepPeople(5);
    await allRounds();
    await keys.addKey(2);
    await query(keys.db, `UPDATE data_keys SET sealing_from = now() - interval '6 minutes'`);
    expect(await countOldRows(keys.db, PEOPLE)).toBe(5);
  });
});
