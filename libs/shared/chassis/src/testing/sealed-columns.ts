import { DataKeys, firstDataKeys } from '../keys/data-keys';
import type { SealedTable } from '../keys/sealed-tables';
import { createSealer, type Sealer } from '../keys/sealing';

/** Bytes that are not sealed: by the last word of the column's name. */
const NOT_SEALED = /(hash|salt|sha256|index|public_key|name_key|wrapped)$/;

/** Answers and jobs live for a day and for a month; exports for three days, each sealed with a key of its own. */
const NOT_SEALED_ANEW = /^(idempotency_keys|inbox|outbox|exports|export_files)\./;

/** Columns of a service's schema that hold bytes, by what tells how they are resealed. */
export async function sealedColumns(
  service: { rows<Row extends object>(text: string): Promise<Row[]> },
  tables: SealedTable[],
): Promise<{ inSchema: string[]; inList: string[] }> {
  const inSchema = await readSealedColumns((text) => service.rows(text), 'current_schema()');
  const inList = tables.flatMap(({ table, columns }) =>
    columns.map(({ column }) => `${table}.${column}`),
  );
  return { inSchema: inSchema.toSorted(), inList: inList.toSorted() };
}

/**
 * The columns of a schema whose values are resealed, as `table.column`.
 * @param schema SQL of its name
 */
export async function readSealedColumns(
  read: (text: string) => Promise<{ name: string }[]>,
  schema: string,
): Promise<string[]> {
  const found = await read(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = ${schema} AND data_type = 'bytea'`,
  );
  return found
    .map(({ name }) => name)
    .filter((name) => !NOT_SEALED.test(name) && !NOT_SEALED_ANEW.test(name));
}

/** Seals as a service that has key 0 only. */
export function createTestSealer(secret: string): Sealer {
  const keys = new DataKeys();
  keys.take(firstDataKeys(secret), Infinity);
  return createSealer(keys);
}
