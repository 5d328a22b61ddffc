import { createHmac } from 'node:crypto';
import { escapeIdentifier, escapeLiteral, type Client, type Pool } from 'pg';

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

/**
 * Settings of every session of a service's role, whatever a DBA gave the server or the database; times are in
 * milliseconds. pg reads and writes text in these formats, and statements rely on the rest.
 */
const SETTINGS: Record<string, string> = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  /** Longest wait for a row lock; a hot credit line waits far less. */
  lock_timeout: '2000',
  /** The process of a transaction that is idle for this long is gone. */
  idle_in_transaction_session_timeout: '10000',
  /**
   * Processes that Postgres may start for one statement. Those of a list read far ahead of the page that ends
   * it, and a busy server has no core for them. allowLongStatements allows some.
   */
  max_parallel_workers_per_gather: '0',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  row_security: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  /** An answer means that the change survives a crash. Some commits of the outbox ask for less. */
  synchronous_commit: 'on',
};

/** Of the owner's session in a migration, as an option of its connection: whatever a DBA gave the owner. */
export const OWNER_OPTIONS = Object.entries({
  ...SETTINGS,
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  default_transaction_read_only: 'off',
})
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`)
  .join(' ');

/** Sets what the sessions of a service's role have. It counts for sessions that begin afterwards. */
export async function setRoleSettings(owner: Client, schema: string): Promise<void> {
  const role = escapeIdentifier(roleOf(schema));
  for (const [name, value] of Object.entries(SETTINGS)) {
    await owner.query(`ALTER ROLE ${role} SET ${name} = ${escapeLiteral(value)}`);
  }
}

/**
 * Refuses a start with other settings. They are read where they are kept: a session of a pooler may be older.
 * @throws Error when the role has a setting of a DBA's, for this database too, or `migrate` has not run
 */
export async function requireRoleSettings(database: Pool, schema: string): Promise<void> {
  const { rows } = await database.query<{ name: string; value: string; place: string }>(
    `SELECT split_part(setting, '=', 1) AS name, substr(setting, strpos(setting, '=') + 1) AS value,
            CASE WHEN setdatabase = 0 THEN '' ELSE format(' IN DATABASE %I', current_database()) END AS place
       FROM pg_db_role_setting, unnest(setconfig) AS setting
      WHERE setrole = current_user::regrole
        AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
      ORDER BY setdatabase`,
  );
  const found = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
  for (const [name, value] of Object.entries({ ...SETTINGS, search_path: schema })) {
    const own = found.get(name.toLowerCase());
    if (own?.value === value) continue;
    const role = roleOf(schema);
    if (own === undefined) throw new Error(`The role ${role} has no ${name}: run migrate`);
    const mend = own.place === '' ? 'run migrate' : `ALTER ROLE ${role}${own.place} RESET ${name}`;
    throw new Error(`The role ${role} has ${name} = '${own.value}', not '${value}': ${mend}`);
  }
}
