import { randomUUID } from 'node:crypto';
import { escapeIdentifier, type Client } from 'pg';
import type { DatabaseConnection } from '../db/database';
import type { Schema } from '../db/schema';
import { migrate } from '../db/migrate';
import { queuesDatabaseUrl } from '../db/roles';
import { asOwner } from './as-owner';
import { TEST_TIMING } from './timing';

/** As a service's default. */
const POOL_SIZE = 12;

/**
 * One migration or clone at a time, whichever test process asks: migrations change the roles, which
 * belong to the whole server.
 */
export const CLONE_LOCK = 0x54455354;

export interface TestDatabase {
  name: string;
  /** The owner's URL of a database that nobody else uses. */
  ownerUrl: string;
  /** How a service reaches it: through PgBouncer, where the tests run behind one. */
  connection: DatabaseConnection;
  /** The same as variables of a service. */
  environment: Record<string, string>;
  drop(): Promise<void>;
}

/**
 * A fresh database with one service's schema: cloned from a migrated template. A copy of its files takes
 * half the CPU time of a copy through the log.
 * @param ownServerUrl the owner's URL of a server that only this test uses, never behind PgBouncer
 */
export async function createTestDatabase(
  schema: Schema,
  ownServerUrl?: string,
): Promise<TestDatabase> {
  const serverUrl = ownServerUrl ?? process.env.TEST_DATABASE_URL;
  if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is set by the global set-up');
  const name = `test_${schema.name}_${randomUUID().slice(0, 8)}`;

  await asOwner(serverUrl, async (owner) => {
    await owner.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK]);
    const template = await templateOf(owner, serverUrl, schema);
    await owner.query(
      `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)} STRATEGY file_copy`,
    );
  });
  const ownerUrl = withDatabase(serverUrl, name);
  const pgbouncerUrl = ownServerUrl === undefined ? process.env.TEST_PGBOUNCER_URL : undefined;
  const url = withDatabase(pgbouncerUrl ?? serverUrl, name);
  const preparedStatements = pgbouncerUrl === undefined;
  return {
    name,
    ownerUrl,
    connection: {
      url,
      poolSize: POOL_SIZE,
      preparedStatements,
      connectTimeoutMs: TEST_TIMING.connect,
    },
    environment: {
      DATABASE_URL: url,
      QUEUES_DATABASE_URL: queuesDatabaseUrl(ownerUrl),
      PREPARED_STATEMENTS: preparedStatements ? 'on' : 'off',
    },
    drop: () =>
      asOwner(serverUrl, async (owner) => {
        await owner.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
      }),
  };
}

async function templateOf(owner: Client, serverUrl: string, schema: Schema): Promise<string> {
  const name = `template_${schema.name}`;
  const { rowCount } = await owner.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) {
    await owner.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
    await migrate({ schema, ownerUrl: withDatabase(serverUrl, name), queuesInPostgres: true });
  }
  return name;
}

/** The URL of another database of the same server. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}
