import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { SHORT_LIVED_ROWS } from './baseline.sql';
import { KEEP_ALIVE, LimitedClient } from './limited-client';
import { driverError, isLockTimeout } from './errors';
import { OWNER_OPTIONS, QUEUES_SCHEMA, roleOf, rolePassword, setRoleSettings } from './roles';
import { appliedMigrations, isUpToDate, migrationsOf, type Schema } from './schema';
import { updateTriggers } from './triggers';

/** Advisory lock: one migration at a time in the whole system. Spells FIAD. */
const MIGRATION_LOCK = 0x46494144;

const MIGRATION_LOCK_POLL_MS = 200;

/** Longest attempt to connect, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Longest wait for an answer, in milliseconds: what takes longer is a migration, which has a connection of its own. */
const ANSWER_LIMIT_MS = 60_000;

/**
 * How long a statement waits for a lock. While ALTER TABLE waits behind a long reader, every
 * request that needs the table waits behind ALTER TABLE; a request gives up after 2 s
 * (roles.ts).
 */
const LOCK_TIMEOUT_MS = 500;

/** The requests that piled up are done by then. */
const PAUSE_BETWEEN_TRIES_MS = 1_500;

/** 120 tries of 2 s are 4 minutes, less than `npm start` gives a migration. */
const MAX_TRIES = 120;

const DUPLICATE_OBJECT = '42710';
/** "tuple concurrently updated": the migration of another database changed the role. */
const INTERNAL_ERROR = 'XX000';

/** The oldest version that the tests run on, as in server_version_num. */
const OLDEST_SERVER = 150_000;

export interface MigrateOptions {
  schema: Schema;
  /** An owner's URL, without a pooler. The owner may create roles and schemas. */
  ownerUrl: string;
  /** Whether the queues live in Postgres too. */
  queuesInPostgres: boolean;
}

/**
 * Brings a service's schema up to date: its login role, the schema, every migration not yet run, its
 * functions and missing triggers, and the queues' schema where they live in Postgres. Safe to run
 * twice and from two machines.
 * The service's role may read and write rows and never change a table. Sales continue meanwhile: a
 * statement that does not get its lock at once is retried later.
 * @throws Error when the server is older than PostgreSQL 15
 */
export async function migrate({
  schema,
  ownerUrl,
  queuesInPostgres,
}: MigrateOptions): Promise<void> {
  const owner = new LimitedClient({
    connectionString: ownerUrl,
    application_name: 'fiado migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: OWNER_OPTIONS,
    ...KEEP_ALIVE,
  });
  owner.answerWithinMs = ANSWER_LIMIT_MS;
  await owner.connect();
  try {
    const serverVersion = await checkServer(owner);
    await takeMigrationLock(owner);
    await owner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await owner.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
    await retryOnLockTimeout(async () => {
      await createRoleAndSchema(owner, schema.name, ownerUrl);
      await setRoleSettings(owner, schema.name);
    });
    await ensureUuidv7(owner, schema.name, serverVersion);
    // Loading TypeORM takes longer than everything else here.
    if (!(await isUpToDate(owner, schema))) {
      await retryOnLockTimeout(() => runSchemaMigrations(schema, ownerUrl));
    }
    const { triggers } = schema;
    if (triggers !== undefined && !(await isNewer(owner, schema))) {
      await retryOnLockTimeout(() => updateTriggers(owner, schema.name, triggers));
    }
    if (queuesInPostgres) await retryOnLockTimeout(() => migrateQueuesSchema(owner, ownerUrl));
  } finally {
    await owner.end();
  }
}

/**
 * Waits for another migration to end. It polls: a statement that waited for the lock would hold a
 * snapshot, and CREATE INDEX CONCURRENTLY of the other migration would wait for that snapshot.
 */
async function takeMigrationLock(owner: Client): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS taken',
      [MIGRATION_LOCK],
    );
    if (rows[0]?.taken === true) return;
    await sleep(MIGRATION_LOCK_POLL_MS);
  }
}

/** Repeats work that could not get a lock. The work must skip the parts that it has committed. */
async function retryOnLockTimeout(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) && !isConcurrentChange(error)) throw error;
      if (tries === MAX_TRIES) {
        throw new Error(
          'A transaction has kept a table locked for minutes. Find it in pg_stat_activity (the ' +
            'oldest xact_start), end it, and run migrate again',
          { cause: error },
        );
      }
      await sleep(PAUSE_BETWEEN_TRIES_MS);
    }
  }
}

function isConcurrentChange(error: unknown): boolean {
  return driverError(error).code === INTERNAL_ERROR && /concurrently updated/.test(String(error));
}

async function checkServer(owner: Client): Promise<number> {
  const { rows } = await owner.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number,
            current_setting('server_version') AS version`,
  );
  const [server] = rows;
  if (server === undefined) throw new Error('The server does not report its version');
  if (server.number < OLDEST_SERVER) {
    throw new Error(`Fiado needs PostgreSQL 15 or newer; this is ${server.version}`);
  }
  return server.number;
}

async function createRoleAndSchema(owner: Client, schema: string, ownerUrl: string): Promise<void> {
  const role = escapeIdentifier(roleOf(schema));
  const name = escapeIdentifier(schema);
  const password = escapeLiteral(rolePassword(ownerUrl, schema));

  // Roles belong to the whole server, so the migration of another database may just have created
  // it.
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

/** Whether a later release has migrated a schema: its functions may write what its processes read. */
async function isNewer(owner: Client, schema: Schema): Promise<boolean> {
  const known = new Set(migrationsOf(schema).map(({ name }) => name));
  return (await appliedMigrations(owner, schema)).some((name) => !known.has(name));
}

async function runSchemaMigrations(schema: Schema, ownerUrl: string): Promise<void> {
  const { DataSource } = await import('typeorm');
  const db = new DataSource({
    type: 'postgres',
    url: ownerUrl,
    schema: schema.name,
    migrations: migrationsOf(schema),
    migrationsTableName: 'migrations',
    installExtensions: false,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    // An index of a large table takes hours, so its statement has no limit. A connection that died is noticed by
    // keep-alive while Postgres works, and otherwise by the operating system, within a quarter of an hour.
    extra: {
      options: `${OWNER_OPTIONS} -c search_path=${schema.name} -c lock_timeout=${LOCK_TIMEOUT_MS}`,
      max: 2,
      ...KEEP_ALIVE,
    },
  });
  await db.initialize();
  try {
    await db.runMigrations({ transaction: 'each' });
  } finally {
    await db.destroy();
  }
}

/** The first version with a uuidv7() of its own, as in server_version_num. */
const FIRST_WITH_UUIDV7 = 180_000;

/**
 * Gives a schema its own uuidv7() on a server that has none (before PostgreSQL 18). Column defaults
 * and statements call uuidv7() without a schema, so they find the server's function, or else this
 * one through search_path (ADR 42). A server that is upgraded later keeps the defaults as they are.
 */
export async function ensureUuidv7(
  owner: Client,
  schema: string,
  serverVersion: number,
): Promise<void> {
  if (serverVersion >= FIRST_WITH_UUIDV7) return;
  // A random UUID whose first 48 bits become the milliseconds since 1970, and whose version becomes
  // 7 (bits 52 and 53, counted from the right of each byte). One expression, so that Postgres
  // inlines it into the statement.
  await owner.query(`
    CREATE OR REPLACE FUNCTION ${escapeIdentifier(schema)}.uuidv7() RETURNS uuid
    LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
      SELECT encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid())
            PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
            FROM 1 FOR 6),
          52, 1), 53, 1),
        'hex')::uuid
    $$
  `);
}

/** BullMQ makes a sequence for each queue when it first sees it, so its role may create. */
async function migrateQueuesSchema(owner: Client, ownerUrl: string): Promise<void> {
  await createRoleAndSchema(owner, QUEUES_SCHEMA, ownerUrl);
  await setRoleSettings(owner, QUEUES_SCHEMA);
  await runQueuesMigrations(owner);
  const role = escapeIdentifier(roleOf(QUEUES_SCHEMA));
  const name = escapeIdentifier(QUEUES_SCHEMA);
  await owner.query(`GRANT USAGE, CREATE ON SCHEMA ${name} TO ${role}`);
  for (const kind of ['TABLES', 'SEQUENCES', 'FUNCTIONS']) {
    await owner.query(`GRANT ALL ON ALL ${kind} IN SCHEMA ${name} TO ${role}`);
  }
}

/** The version of BullMQ that last ran its migrations is the schema's comment; the same one has none to run. */
async function runQueuesMigrations(owner: Client): Promise<void> {
  const { version } = JSON.parse(
    await readFile(require.resolve('bullmq/package.json'), 'utf8'),
  ) as { version: string };
  const name = escapeIdentifier(QUEUES_SCHEMA);
  const migratedBy = `migrated by BullMQ ${version}, with storage parameters`;
  const { rows } = await owner.query<{ comment: string | null }>(
    "SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = $1",
    [QUEUES_SCHEMA],
  );
  if (rows[0]?.comment === migratedBy) return;
  const { runMigrations } = await import('bullmq');
  await runMigrations(owner, QUEUES_SCHEMA);
  // BullMQ's tables whose rows come and go with each job. The lock lets rows be written.
  for (const table of ['job', 'event']) {
    await owner.query(`ALTER TABLE ${name}.${table} SET (${SHORT_LIVED_ROWS})`);
  }
  await owner.query(`COMMENT ON SCHEMA ${name} IS ${escapeLiteral(migratedBy)}`);
}
