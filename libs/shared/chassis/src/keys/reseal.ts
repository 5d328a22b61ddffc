import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database';
import { query } from '../db/query';
import type { Logger } from '../logger';
import { guardRow, Loop } from '../loop';
import { createGauge } from '../metrics';
import { createSampler, type Sample } from '../sampler';
import { createSealer, type Sealer } from './sealing';
import type { Secret } from '../db/key-fingerprints';
import type { OpenDataKeys } from './open-data-keys';
import { claimPage, countOldRows, endPage, type SealedTable, settledKey } from './sealed-tables';

/** How often each process reads the data keys, in milliseconds: twelve times while they are valid. */
const REFRESH_MS = 5_000;

/** How a service seals. */
export interface Sealing<Config, Context> {
  /** The secret that wraps its data keys. */
  secret: (config: Config) => Secret;
  /** Where its sealed values are. */
  tables: SealedTable[];
  /** Seals the file of a row with the newest key, for tables that have files. */
  sealFile?: (context: Context, rowId: string) => Promise<void>;
}

/** The secret of a service's variables that wraps its data keys. */
export function encryptionSecret(config: {
  ENCRYPTION_KEY: string;
  ENCRYPTION_KEY_PREVIOUS?: string;
}): Secret {
  return { current: config.ENCRYPTION_KEY, previous: config.ENCRYPTION_KEY_PREVIOUS };
}

/** The loops that keep the data keys up to date, and values sealed with the newest. */
export function sealingLoops<Config, Context>(
  sealing: Sealing<Config, Context> | undefined,
  context: Context,
  { db, dataKeys, log }: { db: Database; dataKeys: OpenDataKeys; log: Logger },
): Loop[] {
  if (sealing === undefined) return [];
  const { tables, sealFile } = sealing;
  return [
    new Loop(log, { name: 'data keys', everyMs: REFRESH_MS, round: () => dataKeys.refresh() }),
    createResealLoop({
      db,
      log,
      tables,
      sealer: createSealer(dataKeys.keys),
      sealFile: async (rowId) => sealFile?.(context, rowId),
    }),
    createSampler(sealedSample(db, tables), log),
  ];
}

const LOOP = 'seal anew';

/** How often a process looks for a new key. Nothing waits for it. */
const LOOK_MS = 30_000;

/** Rows of one page, in the order of their ids: each is an update of its own. */
const PAGE_SIZE = 500;

/** Files of one page: each is read, written and flushed. */
const FILES_PAGE_SIZE = 20;

/** Pause after a page that was read: a million rows take an hour, while requests go on. */
const PAUSE_MS = 1_000;

/** The parts that the loop works with. */
export interface Reseal {
  db: Database;
  sealer: Sealer;
  log: Logger;
  tables: SealedTable[];
  /** Seals the file of a row of a table that has files. */
  sealFile?: (rowId: string) => Promise<void>;
}

/**
 * Seals with the newest key what an older key sealed: table by table, page by page, once for each key. The
 * place is kept in sealed_tables, so that a process goes on where another was killed.
 */
export function createResealLoop(work: Reseal): Loop {
  return new Loop(work.log, {
    name: LOOP,
    everyMs: LOOK_MS,
    round: async () => {
      const hasWorked = await sealPages(work);
      if (hasWorked) await sleep(PAUSE_MS);
      return hasWorked;
    },
  });
}

/** One page of each table that is not finished. @returns whether there was any */
export async function sealPages(work: Reseal): Promise<boolean> {
  const { db, tables } = work;
  const keyNumber = await settledKey(db);
  if (keyNumber === undefined) return false;
  let hasWorked = false;
  for (const table of tables) {
    const claimed = await claimPage(db, table.table, keyNumber);
    if (claimed === undefined) continue;
    const { rows, size } = await readPage(db, table, claimed.after);
    const failed = await sealRows(work, table, rows);
    await endPage(db, table.table, claimed, {
      last: rows.at(-1)?.id,
      failed,
      isLast: rows.length < size,
    });
    hasWorked = true;
  }
  return hasWorked;
}

type Row = { id: string } & Record<`value${number}`, Buffer | null> &
  Record<`row${number}`, string>;

async function readPage(
  db: Database,
  { table, id, columns, hasFiles }: SealedTable,
  after: string | null,
): Promise<{ rows: Row[]; size: number }> {
  const size = hasFiles === true ? FILES_PAGE_SIZE : PAGE_SIZE;
  const values = columns.map(
    ({ column, boundTo = id }, at) => `, ${column} AS value${at}, ${boundTo} AS row${at}`,
  );
  const rows = await query<Row>(
    db,
    `SELECT ${id} AS id${values.join('')} FROM ${table}
      WHERE $1::uuid IS NULL OR ${id} > $1 ORDER BY ${id} LIMIT $2`,
    [after, size],
  );
  return { rows, size };
}

/** @returns how many rows failed */
async function sealRows(work: Reseal, table: SealedTable, rows: Row[]): Promise<number> {
  let failed = 0;
  for (const row of rows) {
    const names = { log: work.log, table: table.table, row: row.id };
    const isSealed = await guardRow(LOOP, names, async () => {
      await (table.hasFiles === true ? work.sealFile?.(row.id) : sealRow(work, table, row));
    });
    if (!isSealed) failed += 1;
  }
  return failed;
}

async function sealRow(
  { db, sealer }: Reseal,
  { table, id, columns }: SealedTable,
  row: Row,
): Promise<void> {
  for (const [at, { column, purpose }] of columns.entries()) {
    const sealed = row[`value${at}`];
    const resealed =
      sealed == null ? undefined : sealer.reseal(sealed, purpose, row[`row${at}`] ?? row.id);
    if (resealed === undefined) continue;
    // The value may have changed since it was read: then it has the newest key.
    await query(db, `UPDATE ${table} SET ${column} = $2 WHERE ${id} = $1 AND ${column} = $3`, [
      row.id,
      resealed,
      sealed,
    ]);
  }
}

/** A rotation takes hours: nobody looks more often. */
const COUNT_MS = 60_000;

const oldRows = createGauge(
  'fiado_sealed_with_old_key_rows',
  'Rows that may hold values of an older data key, by table; counted up to 100,000',
  ['table'],
);

/** How many rows are left to seal with the newest key. */
export function sealedSample(db: Database, tables: SealedTable[]): Sample {
  return {
    name: 'sealed rows',
    everyMs: COUNT_MS,
    read: async () => {
      const readings = [];
      for (const table of tables) {
        readings.push(oldRows({ table: table.table }, await countOldRows(db, table)));
      }
      return readings;
    },
  };
}
