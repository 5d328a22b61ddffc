import type { SealedTable } from '../keys/sealed-tables';
import { readSealedColumns } from './read-sealed-columns';

/** Columns of a service's schema that hold bytes, by what tells how they are sealed anew. */
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
