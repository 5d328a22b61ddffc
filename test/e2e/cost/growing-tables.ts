import { escapeIdentifier, type Client } from 'pg';

/** Runs some work. @returns the names of the tables that have more rows afterwards */
export async function tablesThatGrow(
  owner: Client,
  work: () => Promise<void>,
): Promise<Set<string>> {
  const before = await rowsOfTables(owner);
  await work();
  const after = await rowsOfTables(owner);
  const grown = [...after].filter(([oid, { rows }]) => rows > (before.get(oid)?.rows ?? 0));
  return new Set(grown.map(([, { name }]) => name));
}

/** Name and number of rows of each table, by its oid. */
async function rowsOfTables(owner: Client): Promise<Map<number, { name: string; rows: number }>> {
  const { rows: tables } = await owner.query<{ oid: number; schema: string; name: string }>(
    `SELECT c.oid, n.nspname AS schema, c.relname AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const counts = new Map<number, { name: string; rows: number }>();
  for (const { oid, schema, name } of tables) {
    const table = `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
    const { rows } = await owner.query<{ rows: number }>(
      `SELECT count(*)::integer AS rows FROM ${table}`,
    );
    counts.set(oid, { name, rows: rows[0]?.rows ?? 0 });
  }
  return counts;
}
