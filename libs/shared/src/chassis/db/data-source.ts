import { Pool, types as pgTypes } from 'pg';
import { DataSource, type MixedList } from 'typeorm';
import { CreateChassisTables1700000000000 } from './chassis-tables';
import { IndexDeadJobs1795200000000 } from './index-dead-jobs';
import { serviceDatabaseUrl } from './roles';
import { TraceOutbox1795400001000 } from './trace-outbox';

/** Connections of one service process to its schema; see docs/architecture.md for the sum. */
const POOL_SIZE = 12;
/** How long a request waits for a connection before it is answered 503. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Longest single statement: a request's whole budget is 8 s. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** Longest wait for a row lock; a hot credit line waits far less. */
const LOCK_TIMEOUT_MS = 2_000;
/** A transaction that does nothing this long has lost its process. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

const INT8_OID = 20;

/** A schema as its service and its migrate command know it. */
export interface Schema {
  /** Name of the schema and, prefixed with fiado_, of its login role. */
  name: string;
  entities: MixedList<Function>;
  /** The service's own, listed by hand, oldest first. */
  migrations: MixedList<Function>;
}

/** Of the tables that every schema has, oldest first. */
const CHASSIS_MIGRATIONS: Function[] = [
  CreateChassisTables1700000000000,
  IndexDeadJobs1795200000000,
  TraceOutbox1795400001000,
];

/**
 * All migrations of a schema: those of the tables that every schema has are the chassis' to add,
 * so that a new one reaches every service with the build.
 */
export function migrationsOf({ migrations }: Schema): Function[] {
  const own: Function[] = Object.values(migrations);
  return [...new Set([...CHASSIS_MIGRATIONS, ...own])];
}

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

/** A service's data source: its own role, its own schema, limits on every wait. Not connected yet. */
export function createDataSource(
  schema: Schema,
  databaseUrl: string,
  onPoolError: (error: Error) => void,
): DataSource {
  return new DataSource({
    type: 'postgres',
    url: serviceDatabaseUrl(databaseUrl, schema.name),
    schema: schema.name,
    entities: schema.entities,
    migrations: migrationsOf(schema),
    migrationsTableName: 'migrations',
    synchronize: false,
    installExtensions: false,
    applicationName: `fiado ${schema.name}`,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolErrorHandler: onPoolError,
    extra: {
      types,
      max: POOL_SIZE,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
    },
  });
}

/** The pg pool below a connected data source: for statements that TypeORM would only slow down. */
export function poolOf(db: DataSource): Pool {
  return (db.driver as unknown as { master: Pool }).master;
}
