import { runMigrations as migrateQueues } from 'bullmq';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { DataSource } from 'typeorm';
import { migrationsOf, type Schema } from './data-source';
import { driverError } from './query';
import { QUEUES_SCHEMA, roleOf, rolePassword } from './roles';

/** One migration at a time in the whole house, whoever starts it. Spells FIAD. */
const MIGRATION_LOCK = 0x46494144;

const DUPLICATE_OBJECT = '42710';

/** The first that has uuidv7(), as server_version_num says it. */
const OLDEST_SERVER = 180_000;

export interface MigrateOptions {
  schema: Schema;
  /** An owner's URL: one that may create roles and schemas. */
  ownerUrl: string;
  /** Whether the queues live in Postgres too. */
  queuesInPostgres: boolean;
}

/**
 * Brings a service's schema up to date: its login role, the schema, every migration not yet run,
 * and the queues' schema where they live in Postgres. Safe to run twice and from two machines.
 * The service's role may read and write rows and never change a table.
 * @throws Error when the server is older than PostgreSQL 18
 */
export async function migrate({
  schema,
  ownerUrl,
  queuesInPostgres,
}: MigrateOptions): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl, application_name: 'fiado migrate' });
  await owner.connect();
  try {
    await checkServer(owner);
    await owner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await owner.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
    await createRoleAndSchema(owner, schema.name, ownerUrl);
    await runSchemaMigrations(schema, ownerUrl);
    if (queuesInPostgres) await migrateQueuesSchema(owner, ownerUrl);
  } finally {
    await owner.end();
  }
}

async function checkServer(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number,
            current_setting('server_version') AS version`,
  );
  const [server] = rows;
  if (server !== undefined && server.number < OLDEST_SERVER) {
    throw new Error(`Fiado needs PostgreSQL 18 or newer; this is ${server.version}`);
  }
}

async function createRoleAndSchema(owner: Client, schema: string, ownerUrl: string): Promise<void> {
  const role = escapeIdentifier(roleOf(schema));
  const name = escapeIdentifier(schema);
  const password = escapeLiteral(rolePassword(ownerUrl, schema));

  // Roles belong to the whole server, so another database's migration may have made it just now.
  await owner.query(`CREATE ROLE ${role} LOGIN`).catch((error: unknown) => {
    if (driverError(error).code !== DUPLICATE_OBJECT) throw error;
  });
  await owner.query(`ALTER ROLE ${role} LOGIN PASSWORD ${password}`);
  await owner.query(`ALTER ROLE ${role} SET search_path = ${name}`);
  await owner.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  await owner.query(`GRANT USAGE ON SCHEMA ${name} TO ${role}`);
  await owner.query(
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${name}
       GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role}`,
  );
  await owner.query(
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${name} GRANT USAGE ON SEQUENCES TO ${role}`,
  );
}

async function runSchemaMigrations(schema: Schema, ownerUrl: string): Promise<void> {
  const db = new DataSource({
    type: 'postgres',
    url: ownerUrl,
    schema: schema.name,
    migrations: migrationsOf(schema),
    migrationsTableName: 'migrations',
    installExtensions: false,
    extra: { options: `-c search_path=${schema.name}`, max: 2 },
  });
  await db.initialize();
  try {
    await db.runMigrations({ transaction: 'each' });
  } finally {
    await db.destroy();
  }
}

/** BullMQ makes a sequence for each queue when it first sees it, so its role may create. */
async function migrateQueuesSchema(owner: Client, ownerUrl: string): Promise<void> {
  await createRoleAndSchema(owner, QUEUES_SCHEMA, ownerUrl);
  await migrateQueues(owner, QUEUES_SCHEMA);
  const role = escapeIdentifier(roleOf(QUEUES_SCHEMA));
  const name = escapeIdentifier(QUEUES_SCHEMA);
  await owner.query(`GRANT USAGE, CREATE ON SCHEMA ${name} TO ${role}`);
  for (const kind of ['TABLES', 'SEQUENCES', 'FUNCTIONS']) {
    await owner.query(`GRANT ALL ON ALL ${kind} IN SCHEMA ${name} TO ${role}`);
  }
}
