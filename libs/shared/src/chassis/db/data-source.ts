import { types as pgTypes } from 'pg';
import { DataSource } from 'typeorm';
import { serviceDatabaseUrl } from './roles';
import { migrationsOf, type Schema } from './schema';
import { dropReadOnly } from './writable';

/** How long a request waits for a connection before it is answered 503. */
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * How long an unused connection is kept, here and by the queues: longer than the minute in which
 * SMS behind a cap go out. Opening one takes milliseconds on both sides, and it plans its
 * statements again.
 */
export const IDLE_CONNECTION_MS = 300_000;

const INT8_OID = 20;

/** bigint columns (cents, versions, counts) arrive as numbers; one beyond 2^53 is a fault. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8_OID && format !== 'binary') return safeInteger;
    return format === undefined ? pgTypes.getTypeParser(oid) : pgTypes.getTypeParser(oid, format);
  },
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('A bigint exceeds 2^53');
  return value;
}

/** How a service reaches its database. */
export interface DatabaseConnection {
  /** Its own role's URL, or an owner's, from which that is derived. */
  url: string;
  /** Connections of the process to its schema; docs/deployment.md counts them. */
  poolSize: number;
  /** Whether statements of hot paths have names, so that a connection plans them once. */
  preparedStatements: boolean;
}

/**
 * A service's data source: its own role and its own schema. Not connected yet. The limits of time
 * are the role's (role-limits.ts): PgBouncer refuses a connection that sets them at its start.
 */
export function createDataSource(
  schema: Schema,
  { url, poolSize, preparedStatements }: DatabaseConnection,
  onPoolError: (error: Error) => void,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url: serviceDatabaseUrl(url, schema.name),
    schema: schema.name,
    migrations: migrationsOf(schema),
    migrationsTableName: 'migrations',
    synchronize: false,
    installExtensions: false,
    applicationName: `fiado ${schema.name}`,
    poolErrorHandler: onPoolError,
    extra: {
      types,
      max: poolSize,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      preparedStatements,
      keepAlive: true,
      verify: dropReadOnly,
    },
  });
}
