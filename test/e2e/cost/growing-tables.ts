import { escapeIdentifier, type Client } from 'pg';

/**
 * Runs some work and returns the names of the tables that have more rows afterwards, and of their indexes
 * without a WHERE: a partial index leaves out what is finished.
 */
export async function relationsThatGrow(
  owner: Client,
  work: () => Promise<void>,
): Promise<Set<string>> {
  const before = await rowsOfTables(owner);
  await work();
  const after = await rowsOfTables(owner);
  const grown = [...after].filter(([table, rows]) => rows > (before.get(table) ?? 0));
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE oid = ANY($1)
         OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = ANY($1) AND indpred IS NULL)`,
    [grown.map(([table]) => table)],
  );
  return new Set(rows.map(({ name }) => name));
}

/** The number of rows of each table, by its oid. */
async function rowsOfTables(owner: Client): Promise<Map<number, number>> {
  const { rows: tables } = await owner.query<{ oid: number; schema: string; name: string }>(
    `SELECT c.oid, n.nspname AS schema, c.relname AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const counts = new Map<number, number>();
  for (const { oid, schema, name } of tables) {
    const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
    const { rows } = await owner.query<{ rows: number }>(
      `SELECT count(*)::integer AS rows FROM ${table}`,
    );
    counts.set(oid, rows[0]?.rows ?? 0);
  }
  return counts;
}
