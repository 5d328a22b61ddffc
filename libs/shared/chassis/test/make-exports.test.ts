import { randomUUID } from 'node:crypto';
import { StoredExportRow } from '../src/exports/export.entity';
import type { ExportsContext, ExportSource } from '../src/exports/exports';
import { exportRounds } from '../src/exports/make-exports';
import { openPart } from '../src/exports/part';
import { ADD_EXPORTS_FOR_PEOPLE, CREATE_EXPORTS } from '../src/exports/tables.sql';
import { Database } from '../src/db/database';
import { query, queryOne } from '../src/db/query';
import type { DocumentStore } from '../src/documents/document-store';
import { createLogger } from '../src/logger';
import { createTestDatabase, type TestDatabase } from '../src/testing/database';

const STORE = randomUUID();

/** A row that fills a part. */
const TEXT = 'x'.repeat(8 * 1024 * 1024);
const RUNNING = new AbortController().signal;

describe('the rounds that make exports', () => {
  let database: TestDatabase;
  let db: Database;
  const stored = new Map<string, Buffer>();
  /** Keys of the parts that were read again. */
  let readAgain: string[];
  let beforeGet: () => Promise<void>;
  let pagesRead: number;
  const log = createLogger('exports test', 'silent');

  beforeAll(async () => {
    const schema = {
      name: 'exports_test',
      baseline: `${CREATE_EXPORTS}; ${ADD_EXPORTS_FOR_PEOPLE}`,
      migrations: [],
      entities: () => [StoredExportRow],
    };
    database = await createTestDatabase(schema);
    db = Database.open(schema, database.connection, () => {});
  });
  beforeEach(async () => {
    [readAgain, beforeGet, pagesRead] = [[], async () => {}, 0];
    await query(db, 'DELETE FROM exports');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  /** Two rows, each of them a part. */
  const source: ExportSource = {
    columns: ['row', 'text'],
    people: {
      name: 'filas',
      columns: [
        { field: 'text', heading: 'Texto' },
        { field: 'storeName', heading: 'Tienda' },
        { field: 'row', heading: 'Total', kind: 'amount' },
      ],
    },
    async *pages(_db, _range, { after }) {
      for (let row = Number(after?.row ?? 0) + 1; row <= 2; row += 1) {
        pagesRead += 1;
        yield { rows: [{ row, text: TEXT, cornerStoreId: STORE }], last: { row } };
      }
    },
  };

  /** Stands in for accounts. */
  const accounts = {
    ask: async () => ({ cornerStores: { [STORE]: 'Lupita' }, customers: [], wholesalers: {} }),
  };

  /** The rounds of one process. */
  function startProcess() {
    const exportFiles: Partial<DocumentStore> = {
      put: async (content) => {
        const key = randomUUID();
        stored.set(key, content);
        return key;
      },
      get: async (key) => {
        readAgain.push(key);
        await beforeGet();
        return stored.get(key) ?? Buffer.alloc(0);
      },
    };
    const round = exportRounds({
      db,
      log,
      exportSources: { orders: source },
      exportFiles,
      accounts,
      config: { TIME_ZONE: 'America/Mexico_City' },
    } as unknown as ExportsContext);
    return () => round(RUNNING);
  }
  async function startExport({ forPeople = false } = {}): Promise<string> {
    const { id } = await queryOne<{ id: string }>(
      db,
      `INSERT INTO exports (kind, format, for_people, from_at, to_at, requested_by, expires_at, key)
       VALUES ('orders', CASE WHEN $1 THEN 'csv' ELSE 'jsonl' END, $1, now() - interval '1 day', now(), 'ops', now() + interval '1 day',
               decode(repeat('ab', 32), 'hex'))
       RETURNING id`,
      [forPeople],
    );
    return id;
  }

  const stateOf = (id: string) =>
    queryOne<{ status: string; attempts: number; parts: number; isLeased: boolean }>(
      db,
      `SELECT status, attempts, coalesce(leased_until > now(), false) AS "isLeased",
              (SELECT count(*)::int FROM export_parts WHERE export_id = exports.id) AS parts
         FROM exports WHERE id = $1`,
      [id],
    );

  it('a process keeps its export until it ends, so that none reads the parts of another again', async () => {
    const [first, second] = [await startExport(), await startExport()];
    const [one, other] = [startProcess(), startProcess()];
    for (let round = 0; round < 3; round += 1) {
      await one();
      await other();
    }
    expect(await stateOf(first)).toMatchObject({ status: 'ready', parts: 2 });
    expect(await stateOf(second)).toMatchObject({ status: 'ready', parts: 2 });
    expect(readAgain).toEqual([]);
  });

  it('an export whose process ends is continued by another one a minute later', async () => {
    const id = await startExport();
    await startProcess()();
    const other = startProcess();
    expect([await other(), (await stateOf(id)).parts]).toEqual([false, 1]);
    await query(db, `UPDATE exports SET leased_until = now() - interval '1 second'`);
    expect([await other(), (await stateOf(id)).parts]).toEqual([true, 2]);
    expect(readAgain).toHaveLength(1);
  });

  it('a process keeps its lease while it reads the parts of another one', async () => {
    const id = await startExport();
    const first = startProcess();
    for (let part = 0; part < 2; part += 1) await first();
    await query(db, `UPDATE exports SET leased_until = now() - interval '1 second'`);

    let ms = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => ms);
    const leased: boolean[] = [];
    beforeGet = async () => {
      leased.push((await stateOf(id)).isLeased);
      // So long takes the next part to come that the lease has ended by then.
      await query(db, `UPDATE exports SET leased_until = now() - interval '1 second'`);
      ms += 61_000;
    };
    await startProcess()();
    expect(leased).toEqual([true, true]);
    expect(await stateOf(id)).toMatchObject({ status: 'ready' });
  });

  /** The end of the file, below its rows. */
  async function endOf(id: string): Promise<string[]> {
    const { storageKey } = await queryOne<{ storageKey: string }>(
      db,
      `SELECT storage_key FROM export_parts WHERE export_id = $1 ORDER BY number DESC LIMIT 1`,
      [id],
    );
    const sealed = stored.get(storageKey) ?? Buffer.alloc(0);
    const secret = Buffer.from('ab'.repeat(32), 'hex');
    const { parts } = await stateOf(id);
    const text = openPart(sealed, { secret, exportId: id, number: parts - 1 }).toString();
    return text.split('\n').filter((line) => !line.startsWith('x'));
  }

  it('a file for people ends with the sums of all its parts, whichever processes wrote them', async () => {
    const id = await startExport({ forPeople: true });
    for (let part = 0; part < 3; part += 1) {
      await startProcess()();
      await query(db, `UPDATE exports SET leased_until = now() - interval '1 second'`);
    }
    expect(await stateOf(id)).toMatchObject({ status: 'ready', parts: 3 });
    expect((await endOf(id)).slice(0, 4)).toEqual([
      '',
      'Total,2 renglones,3.00',
      '',
      'Mayorista,Todos',
    ]);
  });

  it('a file for people begins anew after a part of the release before, which is for programs', async () => {
    const id = await startExport({ forPeople: true });
    await startProcess()();
    await query(
      db,
      `WITH changed AS (UPDATE export_parts SET totals = NULL)
       UPDATE exports SET leased_until = now() - interval '1 second'`,
    );
    const other = startProcess();
    await other();
    expect(await stateOf(id)).toMatchObject({ status: 'running', parts: 0 });
    for (let part = 0; part < 3; part += 1) await other();
    expect(await stateOf(id)).toMatchObject({ status: 'ready', parts: 3 });
    expect((await endOf(id)).slice(0, 2)).toEqual(['', 'Total,2 renglones,3.00']);
  });

  it('an export whose part kills its process 30 times is failed', async () => {
    const id = await startExport();
    // As a killed process leaves it.
    await query(
      db,
      `UPDATE exports SET status = 'running', attempts = 30, lease_id = uuidv7(),
                          leased_until = now() - interval '1 second'`,
    );
    expect(await startProcess()()).toBe(false);
    expect([(await stateOf(id)).status, pagesRead]).toEqual(['failed', 0]);
  });

  function failPages(): void {
    jest.spyOn(source, 'pages').mockImplementation(async function* () {
      yield await Promise.reject(new Error('no rows'));
    });
  }

  it('a failed attempt is logged with its export and its reason', async () => {
    const warned = jest.spyOn(log, 'warn');
    const exportId = await startExport();
    failPages();
    await expect(startProcess()()).rejects.toThrow('no rows');
    expect(warned.mock.calls).toEqual([
      [{ err: new Error('no rows'), exportId, attempts: 1 }, 'export attempt failed'],
    ]);
  });

  it('an export whose part fails is tried again after a pause, and failed after 30 attempts', async () => {
    const id = await startExport();
    failPages();
    const round = startProcess();
    for (const attempt of [1, 2, 29, 30]) {
      await query(db, 'UPDATE exports SET attempts = $1', [attempt - 1]);
      await expect(round()).rejects.toThrow('no rows');
      expect(await stateOf(id)).toMatchObject({ attempts: attempt, isLeased: true });
      expect(await round()).toBe(false);
      await query(db, `UPDATE exports SET leased_until = now() - interval '1 second'`);
    }
    expect(await round()).toBe(false);
    expect(await stateOf(id)).toMatchObject({ status: 'failed' });
  });
});
