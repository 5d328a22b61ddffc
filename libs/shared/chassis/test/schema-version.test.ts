import { Client } from 'pg';
import { loadConfig } from '../src/config';
import { Database } from '../src/db/database';
import { query } from '../src/db/query';
import type { Schema } from '../src/db/schema';
import { migrate } from '../src/db/migrate';
import { createLogger } from '../src/logger';
import { startService, type Foundation, type ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { asOwner } from '../src/testing/as-owner';
import { createTestDatabase, type TestDatabase } from '../src/testing/database';
import { testKeyVariables } from '../src/testing/process-keys';
import { TEST_ENVIRONMENT } from '../src/testing/service';
import { TEST_TIMING } from '../src/testing/timing';
import { until } from '../src/testing/until';

const schema: Schema = { name: 'version_test', migrations: [] };

const definition: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'notifier',
  schema,
  secrets: () => ({}),
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [],
  jobs: () => [],
  sendsTo: [],
  loops: () => [],
};

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase(schema);
});
afterEach(() => database.drop());

async function runAsOwner(statement: string): Promise<void> {
  await asOwner(database.ownerUrl, (owner) => owner.query(statement));
}

/** Changes of a later release: additions only. */
async function expand(): Promise<void> {
  await runAsOwner(`ALTER TABLE version_test.outbox ADD COLUMN later text`);
  await runAsOwner(
    `INSERT INTO version_test.migrations (timestamp, name)
     VALUES (4102444800000, 'AddLater4102444800000')`,
  );
}

async function readiness(): Promise<number> {
  const config = loadConfig(ServiceConfig, {
    ...TEST_ENVIRONMENT,
    ...testKeyVariables('notifier'),
    ...database.environment,
    QUEUE_PREFIX: database.name,
  });
  const log = createLogger('notifier', 'silent');
  const running = await startService(definition, { config, port: 0, log, timing: TEST_TIMING });
  try {
    const url = `http://127.0.0.1:${running.port}/health/ready`;
    for (;;) {
      // The first heartbeat of its worker follows in a moment.
      const { status } = await fetch(url);
      if (status === 200) return status;
    }
  } finally {
    await running.close();
  }
}

it('a process runs on a schema that a later release has expanded', async () => {
  await expand();
  expect(await readiness()).toBe(200);
});

it('the migrations of an older release leave a newer schema as it is', async () => {
  await expand();
  await migrate({ schema, ownerUrl: database.ownerUrl, queuesInPostgres: true });
  await runAsOwner(`SELECT later FROM version_test.outbox`);
});

it('a migration goes on after one of another database that changes the same role', async () => {
  const other = new Client({ connectionString: database.ownerUrl });
  await other.connect();
  await other.query('BEGIN');
  await other.query('ALTER ROLE fiado_version_test LOGIN');
  const migrating = migrate({ schema, ownerUrl: database.ownerUrl, queuesInPostgres: true });
  await until('the migration waits', async () => {
    const { rowCount } = await other.query(
      'SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid',
    );
    return rowCount === 1;
  });
  await other.query('COMMIT');
  await other.end();
  await migrating;
});

it('a process does not start on a schema that is older than itself', async () => {
  await runAsOwner(
    `DELETE FROM version_test.migrations
     WHERE id = (SELECT max(id) FROM version_test.migrations)`,
  );
  await expect(readiness()).rejects.toThrow('The schema version_test is older than this build');
});

it('a process does not start while its role lacks a setting, and migrate sets it', async () => {
  await runAsOwner('ALTER ROLE fiado_version_test RESET statement_timeout');
  await expect(readiness()).rejects.toThrow('has no statement_timeout: run migrate');
  await runAsOwner("ALTER ROLE fiado_version_test SET DateStyle = 'German, DMY'");
  await expect(readiness()).rejects.toThrow('run migrate');
  await migrate({ schema, ownerUrl: database.ownerUrl, queuesInPostgres: true });
  expect(await readiness()).toBe(200);
});

/** What a DBA may have given the database, a role or the server. */
const SETTINGS_OF_A_DBA = [
  ['DateStyle', 'German, DMY', 'ISO, MDY'],
  ['IntervalStyle', 'iso_8601', 'postgres'],
  ['TimeZone', 'America/Mexico_City', 'UTC'],
  ['bytea_output', 'escape', 'hex'],
  ['extra_float_digits', '-15', '1'],
  ['client_encoding', 'LATIN1', 'UTF8'],
  ['standard_conforming_strings', 'off', 'on'],
  ['row_security', 'off', 'on'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['default_transaction_deferrable', 'on', 'off'],
  ['synchronous_commit', 'off', 'on'],
  ['statement_timeout', '1s', '5s'],
  ['lock_timeout', '1s', '2s'],
  ['idle_in_transaction_session_timeout', '1s', '10s'],
  ['search_path', 'public', 'version_test'],
] as const;

it('settings of the database are not those of a session of a service', async () => {
  for (const [name, value] of SETTINGS_OF_A_DBA) {
    await runAsOwner(`ALTER DATABASE ${database.name} SET ${name} = '${value}'`);
  }
  await migrate({ schema, ownerUrl: database.ownerUrl, queuesInPostgres: true });
  expect(await readiness()).toBe(200);

  const db = Database.open(schema, { ...database.connection, url: database.ownerUrl }, () => {});
  const names = SETTINGS_OF_A_DBA.map(([name]) => name);
  const found = await query(
    db,
    'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
    [names],
  );
  await db.close();
  expect(found).toEqual(SETTINGS_OF_A_DBA.map(([name, , value]) => ({ name, value })));
});

it('a process does not start where its role has another setting in this database', async () => {
  const role = `ALTER ROLE fiado_version_test IN DATABASE ${database.name}`;
  for (const [name, value] of SETTINGS_OF_A_DBA) {
    await runAsOwner(`${role} SET ${name} = '${value}'`);
    await expect(readiness()).rejects.toThrow(`${role} RESET ${name}`);
    await runAsOwner(`${role} RESET ${name}`);
  }
});
