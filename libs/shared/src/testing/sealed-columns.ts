import type { SealedTable } from '../chassis/keys/sealed-tables';

/** Bytes that are not sealed: by the last word of the column's name. */
const NOT_SEALED = /(hash|salt|sha256|index|public_key|wrapped)$/;

/** Columns of a service's schema that hold bytes, by what tells how they are sealed anew. */
export async function sealedColumns(
  service: { rows<Row extends object>(text: string): Promise<Row[]> },
  tables: SealedTable[],
): Promise<{ inSchema: string[]; inList: string[] }> {
  const found = await service.rows<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND data_type = 'bytea'`,
  );
  const inList = tables.flatMap(({ table, columns }) =>
    columns.map(({ column }) => `${table}.${column}`),
  );
  const inSchema = found
    .map(({ name }) => name)
    // Answers and jobs live for a day and for a month.
    .filter((name) => !NOT_SEALED.test(name) && !/^(idempotency_keys|inbox|outbox)\./.test(name));
  return { inSchema: inSchema.toSorted(), inList: inList.toSorted() };
}
