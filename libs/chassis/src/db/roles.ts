import { createHmac } from 'node:crypto';

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
