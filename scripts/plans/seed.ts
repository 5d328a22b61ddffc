import { migrate } from '@fiado/chassis/db/migrate';
import { Client, escapeIdentifier } from 'pg';
import { SCHEMAS } from './schemas';
import { BY_TYPE, CREATE_ID_OF, ROWS, ROWS_OF, VALUES } from './seed-values';

interface Column {
  table: string;
  column: string;
  type: string;
}

/** Makes a database with every service's schema. @returns its URL */
export async function migratedDatabase(serverUrl: string, name: string): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await withClient(serverUrl, (owner) => owner.query(`CREATE DATABASE ${name}`));
  for (const schema of SCHEMAS) {
    await migrate({ schema, ownerUrl: url.toString(), queuesInPostgres: false });
  }
  return url.toString();
}

/** Makes a database with every service's schema and fills it. @returns its URL */
export async function seedEveryTable(
  serverUrl: string,
  say: (line: string) => void,
): Promise<string> {
  const seededUrl = await migratedDatabase(serverUrl, 'plans');
  await withClient(seededUrl, async (owner) => {
    await owner.query(CREATE_ID_OF);
    for (const { name } of SCHEMAS) {
      for (const [table, columns] of await tablesOf(owner, name)) {
        await fill(owner, name, table, columns);
      }
      say(`${name} is filled`);
    }
    await owner.query('VACUUM (ANALYZE)');
  });
  return seededUrl;
}

async function tablesOf(owner: Client, schema: string): Promise<Map<string, Column[]>> {
  const { rows } = await owner.query<Column>(
    `SELECT c.relname AS table, a.attname AS column, t.typname AS type
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
      WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND a.attnum > 0
        AND NOT a.attisdropped AND a.attidentity = '' AND a.attgenerated = ''
      ORDER BY c.relname, a.attnum`,
    [schema],
  );
  const tables = new Map<string, Column[]>();
  for (const row of rows) tables.set(row.table, [...(tables.get(row.table) ?? []), row]);
  return tables;
}

async function fill(
  owner: Client,
  schema: string,
  table: string,
  columns: Column[],
): Promise<void> {
  const count = ROWS_OF[`${schema}.${table}`] ?? ROWS_OF[table] ?? ROWS;
  if (count === 0) return;
  const name = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
  const { rows: checks } = await owner.query<{ conname: string }>(
    `SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
    [name],
  );
  // The planner does not look at them, and no value here is meant to be right.
  for (const { conname } of checks) {
    await owner.query(`ALTER TABLE ${name} DROP CONSTRAINT ${escapeIdentifier(conname)}`);
  }
  // An index is made faster than it is kept. A unique one also refuses the rows that no table has.
  const { rows: indexes } = await owner.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition
       FROM pg_index WHERE indrelid = $1::regclass AND NOT indisunique`,
    [name],
  );
  for (const index of indexes) await owner.query(`DROP INDEX ${index.name}`);
  await owner.query('SET session_replication_role = replica');
  await owner.query(
    `INSERT INTO ${name} (${columns.map(({ column }) => escapeIdentifier(column)).join(', ')})
     SELECT ${columns.map((column) => valueOf(schema, column)).join(', ')}
       FROM generate_series(1, ${count}::bigint) AS n, (VALUES (${count}::float8)) AS size (rows)
     ON CONFLICT DO NOTHING`,
  );
  for (const { definition } of indexes) await owner.query(definition);
}

function valueOf(schema: string, { table, column, type }: Column): string {
  const value =
    VALUES[`${schema}.${table}.${column}`] ??
    VALUES[`${table}.${column}`] ??
    VALUES[column] ??
    BY_TYPE[type];
  if (value === undefined) throw new Error(`${table}.${column}: no value for the type ${type}`);
  return value;
}

export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
