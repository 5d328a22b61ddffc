import { createHash, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { accountsSchema } from '@fiado/accounts/db/schema';
import { ensureUuidv7, migrate } from '@fiado/chassis/db/migrate';
import { migrationsOf, type Schema } from '@fiado/chassis/db/schema';
import { notifierSchema } from '@fiado/notifier/db/schema';
import { paymentsSchema } from '@fiado/payments/db/schema';
import { transactionsSchema } from '@fiado/transactions/db/schema';
import { fillTable } from './support/fill-table';
import { TRIGGERS_OF_1_0_0 } from './support/released-triggers';

/**
 * Every release: its last migration, its triggers, and a hash of each schema as it was then. A schema that differs
 * from its hash was edited after its release: restore it, and write a migration.
 */
const RELEASES = [
  {
    version: '1.0.0',
    last: 1795478400000,
    triggers: TRIGGERS_OF_1_0_0,
    hashes: new Map([
      ['accounts', '22a0a4279cbcefeb'],
      ['transactions', 'd68b021dc632a7b0'],
      ['payments', 'e4b310b91bcfc868'],
      ['notifier', 'da513407bc79201c'],
    ]),
  },
];

/** Before the migration KeepRoots. */
const BEFORE_ROOTS = 1799254999999;

/** Before the migration OneTableOfWaitingChanges. */
const BEFORE_ONE_TABLE = 1799544000000;

/** Rows that come into one table, where each needs an id of its own. */
const OWN_IDS: Record<string, { id: string }> = { 'payments.payouts': { id: randomUUID() } };

const SCHEMAS = [accountsSchema, transactionsSchema, paymentsSchema, notifierSchema];

let server: Client;
let released: Client;
let fresh: Client;
beforeAll(async () => {
  server = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await server.connect();
  released = await createDatabase();
  // Rows are written in any order, and no trigger adds more.
  await released.query('SET session_replication_role = replica');
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

const cases = RELEASES.flatMap((release) =>
  SCHEMAS.map((schema) => ({ ...release, schema, name: schema.name })),
);

it.each(cases)(
  '$name of $version is migrated with rows in every table, and equals a new one',
  async ({ schema, last, triggers, hashes }) => {
    await migrateAll(fresh, schema);
    await createReleased(schema, last);
    await createTriggers(schema, triggers[schema.name] ?? []);
    const structure = (await structureOf(released, schema)).join('\n');
    expect(createHash('sha256').update(structure).digest('hex').slice(0, 16)).toBe(
      hashes.get(schema.name),
    );
    const tables = await tablesOf(released, schema);
    for (const table of tables) {
      const name = `${schema.name}.${table}`;
      await fillTable(released, name, undefined, OWN_IDS[name]);
    }
    const before = await rowsOf(schema, tables);

    await migrateAll(released, schema);

    expect(await rowsOf(schema, tables)).toEqual(before);
    expect(await structureOf(released, schema)).toEqual(await structureOf(fresh, schema));
    expect(await triggersOf(released, schema)).toEqual(await triggersOf(fresh, schema));
  },
);

it('people of before get a root where the identity provider alone proves them, keys the issuer in the audit log', async () => {
  await createReleased(accountsSchema, BEFORE_ROOTS);
  const [proved, both, passkey, key, unknownKey] = Array.from({ length: 5 }, () => randomUUID());
  await released.query(
    `INSERT INTO accounts.staff (id, email, name, role, oidc_sub)
     SELECT id, id || '@lender.example', 'Ana Torres', 'admin', sub
       FROM (VALUES ($1::uuid, 'a'), ($2, 'b'), ($3, NULL)) row (id, sub)`,
    [proved, both, passkey],
  );
  await released.query(
    `INSERT INTO accounts.staff_credentials (id, staff_id, public_key, counter)
     SELECT id::text, id, '', 0 FROM unnest($1::uuid[]) id`,
    [[both, passkey]],
  );
  await released.query(
    `INSERT INTO accounts.ops_keys (id, name, scope, key_hash, expires_at)
     SELECT id, 'ERP', 'admin', uuid_send(id), now() FROM unnest($1::uuid[]) id`,
    [[key, unknownKey]],
  );
  await released.query(
    `INSERT INTO accounts.audit_log (id, actor_kind, actor_id, action, object_id, details)
     VALUES (gen_random_uuid(), 'ops', $1, 'ops-key.issued', $2, '{}')`,
    [passkey, key],
  );

  await migrateAll(released, accountsSchema);

  const staff = await released.query('SELECT id, root_id FROM accounts.staff');
  expect(new Map(staff.rows.map(({ id, root_id }) => [id, root_id]))).toEqual(
    new Map([
      [proved, proved],
      [both, null],
      [passkey, null],
    ]),
  );
  const keys = await released.query('SELECT id, issued_by FROM accounts.ops_keys');
  expect(new Map(keys.rows.map(({ id, issued_by }) => [id, issued_by]))).toEqual(
    new Map([
      [key, passkey],
      [unknownKey, null],
    ]),
  );
});

it('changes of payments that wait for a second person come into one table', async () => {
  await createReleased(paymentsSchema, BEFORE_ONE_TABLE);
  const [deposit, debt, requested, paid, back] = Array.from({ length: 5 }, () => randomUUID());
  const payouts = { amount_cents: 4_200, bank_reference: 'SPEI 1', requested_by: 'ana' };
  const rows: [table: string, row: Record<string, unknown>][] = [
    [
      'deposit_changes',
      {
        deposit_id: deposit,
        kind: 'deposit.reverse',
        payload: { reason: 'dos veces' },
        deposit_version: 2,
      },
    ],
    ['write_off_requests', { receivable_id: debt, reason: 'cerró', change_request_id: back }],
    ['payouts', { ...payouts, id: requested, bank_reference_key: 'SPEI1', status: 'requested' }],
    [
      'payouts',
      {
        ...payouts,
        id: paid,
        bank_reference_key: 'SPEI2',
        status: 'paid',
        paid_at: new Date(),
        return_requested_id: paid,
        return_requested_by: 'luis',
      },
    ],
    ['payouts', { id: randomUUID(), bank_reference_key: 'SPEI3', status: 'cancelled' }],
  ];
  for (const [table, row] of rows) {
    await fillTable(released, `payments.${table}`, undefined, row);
  }

  await migrateAll(released, paymentsSchema);

  const { rows: waiting } = await released.query(
    'SELECT target_id, kind, payload, requested_by FROM payments.waiting_changes ORDER BY kind',
  );
  const payout = { amountCents: 4_200, bankReference: 'SPEI 1', cornerStoreId: expect.any(String) };
  expect(waiting).toEqual([
    {
      target_id: deposit,
      kind: 'deposit.reverse',
      payload: { reason: 'dos veces', depositVersion: 2 },
      requested_by: 'text',
    },
    { target_id: requested, kind: 'payout.pay', payload: payout, requested_by: 'ana' },
    { target_id: paid, kind: 'payout.return', payload: payout, requested_by: 'luis' },
    {
      target_id: debt,
      kind: 'receivable.write-off',
      payload: { reason: 'cerró' },
      requested_by: 'text',
    },
  ]);
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

/** The schema as a release left it, without triggers. */
async function createReleased(schema: Schema, last: number): Promise<void> {
  await released.query(`DROP SCHEMA IF EXISTS ${schema.name} CASCADE`);
  const { rows } = await released.query<{ version: string }>(
    "SELECT current_setting('server_version_num') AS version",
  );
  await released.query(`CREATE SCHEMA ${schema.name}`);
  await ensureUuidv7(released, schema.name, Number(rows[0]?.version));
  const db = new DataSource({
    type: 'postgres',
    url: urlOf(released),
    schema: schema.name,
    migrations: migrationsOf(schema).filter(({ name }) => Number(name.slice(-13)) <= last),
    migrationsTableName: 'migrations',
    installExtensions: false,
    extra: { options: `-c search_path=${schema.name}` },
  });
  await db.initialize();
  await db.runMigrations({ transaction: 'each' });
  await db.destroy();
}

/** Triggers of a release, whose functions do nothing. */
async function createTriggers({ name }: Schema, triggers: string[]): Promise<void> {
  await released.query(`SET search_path = ${name}`);
  for (const trigger of triggers) {
    const [, call] = /EXECUTE FUNCTION (\w+\(\))/.exec(trigger) ?? [];
    await released.query(
      `CREATE OR REPLACE FUNCTION ${call} RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
    );
    await released.query(trigger);
  }
  await released.query('RESET search_path');
}

async function tablesOf(database: Client, { name }: Schema): Promise<string[]> {
  const { rows } = await database.query<{ relname: string }>(
    `SELECT relname FROM pg_class
      WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND relname <> 'migrations'`,
    [name],
  );
  return rows.map(({ relname }) => relname);
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

/** Columns, constraints, indexes and storage, whatever the order in which they were made. */
async function structureOf(database: Client, { name }: Schema): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(
    // Before PostgreSQL 18 uuidv7() is the schema's, and NOT NULL is no constraint.
    `SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable,
                   replace(column_default, $1 || '.uuidv7', 'uuidv7')) AS line
       FROM information_schema.columns WHERE table_schema = $1
     UNION ALL
     SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid))
       FROM pg_constraint WHERE connamespace = $1::regnamespace AND contype <> 'n'
     UNION ALL
     SELECT format('%s %s', pg_get_indexdef(indexrelid), indisvalid)
       FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relnamespace = $1::regnamespace
     UNION ALL
     SELECT format('%s %s', oid::regclass, reloptions)
       FROM pg_class WHERE relnamespace = $1::regnamespace AND reloptions IS NOT NULL`,
    [name],
  );
  return rows.map(({ line }) => line).toSorted();
}

async function triggersOf(database: Client, { name }: Schema): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(
    `SELECT pg_get_triggerdef(pg_trigger.oid) AS line
       FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
      WHERE relnamespace = $1::regnamespace AND NOT tgisinternal`,
    [name],
  );
  return rows.map(({ line }) => line).toSorted();
}
