import type { Database } from './db/database';
import { query } from './db/query';
import { guardRow } from './guard-row';
import type { Logger } from './logger';
import { Loop } from './loop';
import type { Sealer } from './sealing';

const LOOP = 'bind sealed values';
/** Pause between pages. A million rows take eight hours, at almost no load. */
const LOOK_MS = 30_000;
/** Rows of one page, read in the order of their ids. */
const PAGE_SIZE = 1_000;

/** A table with sealed columns. Names are SQL of ours, and never a caller's. */
export interface SealedTable {
  table: string;
  /** Its primary key, a uuid. */
  id: string;
  columns: SealedColumn[];
}

export interface SealedColumn {
  column: string;
  purpose: string;
  /** SQL of the id that its values are bound to; the primary key without it. */
  boundTo?: string;
}

/**
 * Binds the values that the previous release sealed to their rows, page by page and repeatedly,
 * because a late job of that release may still add one. Needed for one release; the next release
 * opens bound values only.
 */
export function createBindingLoop(
  { db, sealer, log }: { db: Database; sealer: Sealer; log: Logger },
  tables: SealedTable[],
): Loop {
  const after = new Map<SealedTable, string>();
  return new Loop(log, {
    name: LOOP,
    everyMs: LOOK_MS,
    round: async () => {
      for (const table of tables) {
        const page = await readPage(db, table, after.get(table));
        for (const row of page) {
          const names = { table: table.table, row: row.id };
          await guardRow(LOOP, { log, ...names }, () => bindRow({ db, sealer }, table, row));
        }
        const last = page.length === PAGE_SIZE ? page.at(-1)?.id : undefined;
        if (last === undefined) after.delete(table);
        else after.set(table, last);
      }
      return false;
    },
  });
}

type Row = { id: string } & Record<`value${number}`, Buffer | null> &
  Record<`row${number}`, string>;

function readPage(
  db: Database,
  { table, id, columns }: SealedTable,
  after: string | undefined,
): Promise<Row[]> {
  const values = columns.map(
    ({ column, boundTo = id }, at) => `${column} AS value${at}, ${boundTo} AS row${at}`,
  );
  return query<Row>(
    db,
    `SELECT ${id} AS id, ${values.join(', ')} FROM ${table}
      WHERE $1::uuid IS NULL OR ${id} > $1 ORDER BY ${id} LIMIT $2`,
    [after ?? null, PAGE_SIZE],
  );
}

async function bindRow(
  { db, sealer }: { db: Database; sealer: Sealer },
  { table, id, columns }: SealedTable,
  row: Row,
): Promise<void> {
  for (const [at, { column, purpose }] of columns.entries()) {
    const sealed = row[`value${at}`];
    const bound =
      sealed == null ? undefined : sealer.bind(sealed, purpose, row[`row${at}`] ?? row.id);
    if (bound === undefined) continue;
    // The value may have changed since it was read.
    await query(db, `UPDATE ${table} SET ${column} = $2 WHERE ${id} = $1 AND ${column} = $3`, [
      row.id,
      bound,
      sealed,
    ]);
  }
}
