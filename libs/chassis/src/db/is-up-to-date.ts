import { escapeIdentifier, type ClientBase, type Pool } from 'pg';
import { migrationsOf, type Schema } from './schema';

/** Whether every migration of this build has run on a schema. */
export async function isUpToDate(database: ClientBase | Pool, schema: Schema): Promise<boolean> {
  const table = `${escapeIdentifier(schema.name)}.migrations`;
  const { rows: found } = await database.query<{ exists: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS exists',
    [table],
  );
  if (found[0]?.exists !== true) return false;
  const { rows } = await database.query<{ name: string }>(`SELECT name FROM ${table}`);
  const done = new Set(rows.map(({ name }) => name));
  return migrationsOf(schema).every(({ name }) => done.has(name));
}
