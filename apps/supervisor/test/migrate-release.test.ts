import { randomUUID } from 'node:crypto';
import { migrationsOf, type Schema } from '@fiado/chassis/db/schema';
import { migrate } from '@fiado/chassis/db/migrate';
import { ensureUuidv7 } from '@fiado/chassis/db/uuidv7';
import { accountsSchema } from '@fiado/accounts/db/schema';
import { notifierSchema } from '@fiado/notifier/db/schema';
import { paymentsSchema } from '@fiado/payments/db/schema';
import { transactionsSchema } from '@fiado/transactions/db/schema';
import { Client } from 'pg';
import { DataSource } from 'typeorm';

/**
 * The last migration of the previous release. With each release it becomes the last one of that
 * release, and OVERRIDES gets what its tables ask for.
 */
const PREVIOUS_RELEASE = 1795500100000;

/** One id in every column that holds one, so that each row finds the rows that it refers to. */
const ID = '0198c0de-0000-7000-8000-000000000001';

/** What a column gets by its type, where it has no default and may not be null. */
const BY_TYPE: Record<string, unknown> = {
  uuid: ID,
  text: 'text',
  integer: 1,
  bigint: 1,
  numeric: 0.05,
  boolean: false,
  bytea: Buffer.from('sealed'),
  json: '{}',
  jsonb: '{}',
  'timestamp with time zone': '2026-01-31T12:00:00Z',
};

/** What the checks of a table ask for. */
const OVERRIDES: Record<string, Record<string, unknown>> = {
  'accounts.api_keys': { kind: 'wholesaler', wholesaler_id: ID },
  'transactions.credit_entries': { kind: 'hold' },
  'transactions.invoices': { status: 'failed', products: '[]' },
  'transactions.transactions': { status: 'delivery' },
  'transactions.verifications': { status: 'approved' },
  'payments.receivable_entries': { cause: 'opened' },
  'payments.credit_balance_entries': { cause: 'surplus' },
  'payments.deposits': { unmatched_reason: 'unknown', status: 'unmatched' },
  'payments.deposit_decisions': { decision: 'assigned', corner_store_id: ID },
  'notifier.messages': { status: 'sending', claimed_until: '2026-01-31T12:00:00Z' },
  'notifier.message_attempts': { outcome: 'sent' },
};

const SCHEMAS = [accountsSchema, transactionsSchema, paymentsSchema, notifierSchema];

let server: Client;
let released: Client;
let fresh: Client;
beforeAll(async () => {
  server = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await server.connect();
  released = await createDatabase();
  fresh = await createDatabase();
});
afterAll(async () => {
  for (const database of [released, fresh]) {
    const name = database.database ?? '';
    await database.end();
    await server.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  }
  await server.end();
});

describe.each(SCHEMAS)('$name of the previous release', (schema) => {
  it('is migrated with rows in every table, and equals a new one', async () => {
    await migrateAll(fresh, schema);
    await createReleased(schema);
    const tables = await tablesOf(released, schema);
    for (const table of tables) await fill(schema, table);
    const before = await rowsOf(schema, tables);

    await migrateAll(released, schema);

    expect(await rowsOf(schema, tables)).toEqual(before);
    expect(await structureOf(released, schema)).toEqual(await structureOf(fresh, schema));
  });
});

async function createDatabase(): Promise<Client> {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = `/test_release_${randomUUID().slice(0, 8)}`;
  await server.query(`CREATE DATABASE "${url.pathname.slice(1)}"`);
  const database = new Client({ connectionString: url.href });
  await database.connect();
  return database;
}

function urlOf(database: Client): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = `/${database.database}`;
  return url.href;
}

function migrateAll(database: Client, schema: Schema): Promise<void> {
  return migrate({ schema, ownerUrl: urlOf(database), queuesInPostgres: false });
}

/** The schema as the previous release left it. */
async function createReleased(schema: Schema): Promise<void> {
  const { rows } = await released.query<{ version: string }>(
    "SELECT current_setting('server_version_num') AS version",
  );
  await released.query(`CREATE SCHEMA ${schema.name}`);
  await ensureUuidv7(released, schema.name, Number(rows[0]?.version));
  const db = new DataSource({
    type: 'postgres',
    url: urlOf(released),
    schema: schema.name,
    migrations: migrationsOf(schema).filter(
      ({ name }) => Number(name.slice(-13)) <= PREVIOUS_RELEASE,
    ),
    migrationsTableName: 'migrations',
    installExtensions: false,
    extra: { options: `-c search_path=${schema.name}` },
  });
  await db.initialize();
  await db.runMigrations({ transaction: 'each' });
  await db.destroy();
}

/** Tables in the order in which they were made: what is referred to comes first. */
async function tablesOf(database: Client, { name }: Schema): Promise<string[]> {
  const { rows } = await database.query<{ relname: string }>(
    `SELECT relname FROM pg_class
      WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND relname <> 'migrations'
      ORDER BY oid`,
    [name],
  );
  return rows.map(({ relname }) => relname);
}

async function fill({ name }: Schema, table: string): Promise<void> {
  const { rows } = await released.query<{ column: string; type: string }>(
    `SELECT attname AS column, split_part(format_type(atttypid, NULL), '(', 1) AS type
       FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
        AND attnotnull AND (NOT atthasdef OR attname = 'id')`,
    [`${name}.${table}`],
  );
  const values = {
    ...Object.fromEntries(rows.map(({ column, type }) => [column, BY_TYPE[type]])),
    ...OVERRIDES[`${name}.${table}`],
  };
  const places = Object.keys(values).map((_, index) => `$${index + 1}`);
  await released.query(
    `INSERT INTO ${name}.${table} (${Object.keys(values).join()}) VALUES (${places.join()})`,
    Object.values(values),
  );
}

/** How many rows each of the tables has. */
async function rowsOf({ name }: Schema, tables: string[]): Promise<[string, string][]> {
  const count = async (table: string): Promise<[string, string]> => {
    const { rows } = await released.query<{ count: string }>(
      `SELECT count(*) FROM ${name}.${table}`,
    );
    return [table, rows[0]?.count ?? ''];
  };
  const counts: [string, string][] = [];
  for (const table of tables) counts.push(await count(table));
  return counts;
}

/** Columns, constraints and indexes, whatever the order in which they were made. */
async function structureOf(database: Client, { name }: Schema): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(
    `SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
       FROM information_schema.columns WHERE table_schema = $1
     UNION ALL
     SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid))
       FROM pg_constraint WHERE connamespace = $1::regnamespace
     UNION ALL
     SELECT format('%s %s', pg_get_indexdef(indexrelid), indisvalid)
       FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relnamespace = $1::regnamespace
     ORDER BY line`,
    [name],
  );
  return rows.map(({ line }) => line);
}
