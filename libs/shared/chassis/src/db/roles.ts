import { createHmac } from 'node:crypto';
import { escapeIdentifier, type Client, type Pool } from 'pg';

/**
 * Schema of the queues that live in Postgres; all services share its one role. BullMQ only uses
 * this schema when it is given a pool, and one pool for all queues of a process keeps the number of
 * connections low.
 */
export const QUEUES_SCHEMA = 'bullmq';

/** The login role of a schema's service, such as `fiado_accounts`. */
export function roleOf(schema: string): string {
  return `fiado_${schema}`;
}

/**
 * A role's password, derived from the owner's: whoever holds the owner's URL can log in as any
 * role, and a role's password reveals neither the owner's nor another role's.
 */
export function rolePassword(ownerUrl: string, schema: string): string {
  const ownerPassword = decodeURIComponent(new URL(ownerUrl).password);
  return createHmac('sha256', ownerPassword).update(`fiado role ${schema}`).digest('base64url');
}

/**
 * The URL with which a service logs in as its own role; a URL of that role is returned as it is.
 */
export function serviceDatabaseUrl(databaseUrl: string, schema: string): string {
  const url = new URL(databaseUrl);
  if (url.username === roleOf(schema)) return databaseUrl;
  url.password = rolePassword(databaseUrl, schema);
  url.username = roleOf(schema);
  return url.toString();
}

/** The URL with which every service reaches the queues' schema. */
export function queuesDatabaseUrl(databaseUrl: string): string {
  return serviceDatabaseUrl(databaseUrl, QUEUES_SCHEMA);
}

/** Longest single statement, in milliseconds: a request's whole budget is 8 s. */
export const STATEMENT_TIMEOUT_MS = 5_000;

/** Limits of every session of a service's role; times are in milliseconds. */
const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  /** Longest wait for a row lock; a hot credit line waits far less. */
  lock_timeout: 2_000,
  /** The process of a transaction that is idle for this long is gone. */
  idle_in_transaction_session_timeout: 10_000,
  /**
   * Processes that Postgres may start for one statement. Those of a list read far ahead of the page that ends
   * it, and a busy server has no core for them. allowLongStatements allows some.
   */
  max_parallel_workers_per_gather: 0,
};

/** Sets the limits of a service's role. They count for sessions that begin afterwards. */
export async function setRoleLimits(owner: Client, schema: string): Promise<void> {
  for (const [name, value] of Object.entries(LIMITS)) {
    await owner.query(`ALTER ROLE ${escapeIdentifier(roleOf(schema))} SET ${name} = ${value}`);
  }
}

/** @throws Error when a service's role has no limits: the migration before this build made none */
export async function requireRoleLimits(database: Pool, schema: string): Promise<void> {
  const { rows } = await database.query(
    `SELECT FROM pg_roles, unnest(rolconfig) AS setting
      WHERE rolname = current_user AND setting LIKE 'statement_timeout=%'`,
  );
  if (rows.length > 0) return;
  throw new Error(`The role ${roleOf(schema)} has no statement_timeout: run migrate`);
}
