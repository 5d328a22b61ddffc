import { Pool, types as pgTypes, type PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Entities } from './entities';
import { KEEP_ALIVE, LimitedClient } from './limited-client';
import { TIMING } from '../timing';
import { serviceDatabaseUrl } from './roles';
import { distrustAfterSilence, dropReadOnly } from './writable';

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
  /** Longest wait for a connection; by default that of production. */
  connectTimeoutMs?: number;
  /** Whether statements of hot paths have names, so that a connection plans them once. */
  preparedStatements: boolean;
  /** A server that takes no writes. Without it, a connection to such a server is closed. */
  isReplica?: true;
}

/** An open database transaction: statements run on its connection, one after another. */
export class Transaction {
  /** Whether it wrote jobs to the outbox. */
  hasJobs = false;
  private opened?: EntityManager;

  constructor(
    readonly connection: PoolClient,
    private readonly database: Database,
  ) {}

  get preparedStatements(): boolean {
    return this.database.preparedStatements;
  }

  /** Notes that it has written jobs to the outbox. */
  noteJobs(): void {
    this.hasJobs = true;
  }

  /** Reads and writes entities by their keys in this transaction. Made when it is first read. */
  get manager(): EntityManager {
    return (this.opened ??= this.database.entities.managerOn(this.connection));
  }
}

/** Where statements run: any connection of a service's pool, or that of an open transaction. */
export type Db = Database | Transaction;

/** The part of a schema (schema.ts) that a database needs. */
interface OpenedSchema {
  /** Name of the schema, and of its login role. */
  name: string;
  /** Loads the classes of the tables that are read and written by key. */
  entities?: () => Function[];
}

/** A service's pool of connections, as its own role, to its own schema. It connects when asked to. */
export class Database {
  /** Called after a commit that left jobs in the outbox, as by appendToOutbox. */
  noteJobs: () => void = () => {};
  private opened?: Entities;

  private constructor(
    readonly connection: Pool,
    readonly preparedStatements: boolean,
    private readonly schema: OpenedSchema,
  ) {}

  /**
   * The limits of time are the role's (roles.ts): PgBouncer refuses a connection that sets
   * them at its start.
   * @param onPoolError called when an unused connection is lost
   */
  static open(
    schema: OpenedSchema,
    connection: DatabaseConnection,
    onPoolError: (error: Error) => void,
  ): Database {
    const { url, poolSize, preparedStatements, isReplica } = connection;
    const pool = new Pool({
      connectionString: serviceDatabaseUrl(url, schema.name),
      application_name: `fiado ${schema.name}`,
      types,
      max: poolSize,
      connectionTimeoutMillis: connection.connectTimeoutMs ?? TIMING.connect,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      Client: LimitedClient,
      ...KEEP_ALIVE,
      ...(isReplica === true ? {} : { verify: dropReadOnly }),
    });
    pool.on('error', onPoolError);
    distrustAfterSilence(pool);
    return new Database(pool, preparedStatements, schema);
  }

  /** The schema's entities over this pool. Made, and TypeORM loaded, when it is first read. */
  get entities(): Entities {
    return (this.opened ??= this.openEntities());
  }

  /** Reads and writes entities by their keys, each statement on any connection. */
  get manager(): EntityManager {
    return this.entities.manager;
  }

  /**
   * Runs work in a database transaction: committed when it returns, rolled back when it throws.
   * @throws Error of the work, or of the connection
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.run('BEGIN', work);
  }

  /** The same on one snapshot: later statements do not see what others commit meanwhile. */
  snapshot<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.run('BEGIN ISOLATION LEVEL REPEATABLE READ', work);
  }

  /** Closes all connections, once they are not in use. */
  close(): Promise<void> {
    return this.connection.end();
  }

  private openEntities(): Entities {
    const loaded = require('./entities') as typeof import('./entities');
    return new loaded.Entities(this.connection, this.schema.entities?.() ?? []);
  }

  private async run<Result>(
    begin: string,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const connection = await this.connection.connect();
    let lost: Error | undefined;
    try {
      await connection.query(begin);
      const tx = new Transaction(connection, this);
      const result = await work(tx);
      const { command } = await connection.query('COMMIT');
      // Postgres answers ROLLBACK if a statement failed and the work went on.
      if (command === 'ROLLBACK') throw new Error('The database transaction was rolled back');
      if (tx.hasJobs) this.noteJobs();
      return result;
    } catch (error) {
      await connection.query('ROLLBACK').catch((rollbackError: Error) => {
        lost = rollbackError;
      });
      throw error;
    } finally {
      connection.release(lost);
    }
  }
}
