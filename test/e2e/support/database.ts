import { randomUUID } from 'node:crypto';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import { escapeIdentifier } from 'pg';

/** A database for one system, on the server that all tests share. */
export interface SystemDatabase {
  /** The supervisor's variables for it. */
  env: Record<string, string>;
  /** Its owner's URL, never through PgBouncer. */
  url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database for a system on the server that E2E_DATABASE_URL names, or else on that of the
 * shared system. Without either, nothing. With E2E_PGBOUNCER_URL the services reach the server through
 * PgBouncer in transaction mode.
 */
export async function createSystemDatabase(): Promise<SystemDatabase | undefined> {
  const { SHARED_SYSTEM, E2E_DATABASE_URL, E2E_PGBOUNCER_URL: pgbouncerUrl } = process.env;
  const shared = SHARED_SYSTEM === undefined ? {} : JSON.parse(SHARED_SYSTEM);
  const serverUrl: string | undefined = E2E_DATABASE_URL ?? shared.databaseUrl;
  if (serverUrl === undefined) return undefined;

  const name = `e2e_${randomUUID().slice(0, 8)}`;
  const run = async (statement: string) =>
    void (await asOwner(serverUrl, (owner) => owner.query(statement)));
  await run(`CREATE DATABASE ${escapeIdentifier(name)}`);
  const url = databaseIn(serverUrl, name);
  return {
    // Where tests run inside a container themselves, the server has another machine's address.
    env: {
      FIADO_MODE: 'sandbox',
      ...variablesFor(url, pgbouncerUrl && databaseIn(pgbouncerUrl, name)),
    },
    url,
    drop: () => run(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`),
  };
}

function databaseIn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

/** docs/deployment.md: only `migrate` and the queues go past PgBouncer. */
function variablesFor(url: string, pgbouncerUrl: string | undefined): Record<string, string> {
  if (pgbouncerUrl === undefined) return { DATABASE_URL: url };
  return { DATABASE_URL: pgbouncerUrl, MIGRATION_DATABASE_URL: url, PREPARED_STATEMENTS: 'off' };
}
