import { randomUUID } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import type { Schema } from '@fiado/chassis/db/schema';
import { migrate } from '@fiado/chassis/db/migrate';
import { roleOf } from '@fiado/chassis/db/roles';
import { CLONE_LOCK } from '@fiado/chassis/testing/database';

/** Schema of the simulated clock. */
const CLOCK_SCHEMA = 'simulated';

export interface SimulationDatabase {
  ownerUrl: string;
  owner: Client;
  /** Sets the time that the product's statements read. */
  setTime(ms: number): Promise<void>;
  /** Removes all rows of all services. */
  clear(): Promise<void>;
  drop(): Promise<void>;
}

/** One database with the schemas of all services, as in production, whose now() can be set. */
export async function createSimulationDatabase(schemas: Schema[]): Promise<SimulationDatabase> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is set by the global set-up');
  const name = `simulation_${randomUUID().slice(0, 8)}`;
  const server = new Client({ connectionString: serverUrl });
  await server.connect();
  await server.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const ownerUrl = url.toString();
  await server.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK]);
  for (const schema of schemas) await migrate({ schema, ownerUrl, queuesInPostgres: false });
  await server.query('SELECT pg_advisory_unlock($1)', [CLONE_LOCK]);

  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  await createClock(owner, name, schemas);
  await createClear(owner, schemas);
  // Worlds begin in any year.
  await owner.query(`UPDATE transactions.settlement_start SET at = '-infinity'`);
  return {
    ownerUrl,
    owner,
    setTime: async (ms) => {
      await owner.query('UPDATE simulated.clock SET at = to_timestamp($1::float8 / 1000)', [ms]);
    },
    clear: async () => {
      await owner.query('SELECT simulated.clear()');
    },
    drop: async () => {
      await owner.end();
      await server.query(`DROP DATABASE ${escapeIdentifier(name)} WITH (FORCE)`);
      await server.end();
    },
  };
}

/**
 * The product takes the time from the database. Its roles look for functions in the clock's schema
 * first, so their now() is the simulated one, and so do triggers; defaults of columns are bound to it by name.
 */
async function createClock(owner: Client, database: string, schemas: Schema[]): Promise<void> {
  await owner.query(`
    CREATE SCHEMA ${CLOCK_SCHEMA};
    CREATE TABLE ${CLOCK_SCHEMA}.clock (at timestamptz NOT NULL);
    INSERT INTO ${CLOCK_SCHEMA}.clock VALUES (pg_catalog.now());
    CREATE FUNCTION ${CLOCK_SCHEMA}.now() RETURNS timestamptz LANGUAGE sql STABLE
      AS 'SELECT at FROM ${CLOCK_SCHEMA}.clock';
  `);
  for (const { name } of schemas) {
    const role = escapeIdentifier(roleOf(name));
    await owner.query(`
      GRANT USAGE ON SCHEMA ${CLOCK_SCHEMA} TO ${role};
      GRANT SELECT ON ${CLOCK_SCHEMA}.clock TO ${role};
      ALTER ROLE ${role} IN DATABASE ${escapeIdentifier(database)}
        SET search_path = ${CLOCK_SCHEMA}, ${escapeIdentifier(name)}, pg_catalog;
    `);
  }
  const names = schemas.map(({ name }) => name);
  const { rows: functions } = await owner.query<{ statement: string }>(
    `SELECT format('ALTER FUNCTION %s SET search_path = ${CLOCK_SCHEMA}, %I, pg_catalog',
                   f.oid::regprocedure, f.pronamespace::regnamespace::text) AS statement
       FROM pg_proc f
      WHERE f.pronamespace::regnamespace::text = ANY($1)
        AND f.proconfig::text LIKE '%search_path%'`,
    [names],
  );
  const { rows: defaults } = await owner.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %I.%I ALTER COLUMN %I SET DEFAULT ${CLOCK_SCHEMA}.now()',
                   table_schema, table_name, column_name) AS statement
       FROM information_schema.columns
      WHERE table_schema = ANY($1) AND column_default = 'now()'`,
    [names],
  );
  for (const { statement } of [...functions, ...defaults]) await owner.query(statement);
}

/** Ledgers refuse DELETE by a trigger: only the owner may pass it by, and only here. */
async function createClear(owner: Client, schemas: Schema[]): Promise<void> {
  const { rows } = await owner.query<{ statement: string }>(
    `SELECT format('DELETE FROM %I.%I', table_schema, table_name) AS statement
       FROM information_schema.tables
      WHERE table_schema = ANY($1) AND table_type = 'BASE TABLE'
        AND table_name NOT IN
          ('migrations', 'key_fingerprints', 'data_keys', 'reference_key', 'settlement_start')`,
    [schemas.map(({ name }) => name)],
  );
  await owner.query(`
    CREATE FUNCTION ${CLOCK_SCHEMA}.clear() RETURNS void LANGUAGE plpgsql
      SET session_replication_role = replica
      AS $$ BEGIN ${rows.map(({ statement }) => statement).join('; ')}; END $$`);
}
