import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { Pool } from 'pg';

/** Two systems of at most 80 connections each, pgbench's, and the bench's own. */
const MAX_CONNECTIONS = 300;

/**
 * As on a server that was given memory for its rows, a quarter of the machine's by Postgres' own
 * advice: the default of 128 MB is full at a tenth of a million orders.
 */
const SHARED_BUFFERS = '2GB';

export interface StatementCost {
  role: string;
  statement: string;
  calls: number;
  totalMs: number;
  /** How often it was planned: a prepared one only in its first calls. */
  plans: number;
  planMs: number;
}

const STATEMENTS = `
  SELECT rolname AS role, left(regexp_replace(query, '\\s+', ' ', 'g'), 110) AS statement,
         calls::int, round(total_exec_time)::int AS "totalMs",
         plans::int, round(total_plan_time)::int AS "planMs"
    FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
    JOIN pg_database ON pg_database.oid = dbid
   WHERE datname = $1 ORDER BY total_exec_time DESC LIMIT 40`;

/** The run's own Postgres, with fsync and memory as in production, and databases that are copies. */
export class BenchDatabase {
  private readonly pools = new Map<string, Pool>();

  private constructor(
    private readonly server: EmbeddedPostgres,
    private readonly ownerUrl: string,
  ) {}

  /**
   * @param counting whether the server counts what each statement costs, for `statements`
   * @param settings of the server in addition to these, `name = value`
   */
  static async start(
    dataDir: string,
    counting: boolean,
    settings: string[] = [],
  ): Promise<BenchDatabase> {
    const server = new EmbeddedPostgres({ dataDir, maxConnections: MAX_CONNECTIONS });
    const asMade = new BenchDatabase(server, (await server.start()).databaseUrl);
    const set = (setting: string) => asMade.query('postgres', `ALTER SYSTEM SET ${setting}`);
    for (const setting of [`shared_buffers = '${SHARED_BUFFERS}'`, ...settings]) await set(setting);
    if (counting) {
      await set(`shared_preload_libraries = 'pg_stat_statements'`);
      await set('"pg_stat_statements.track_planning" = on');
    }
    await asMade.stop();
    const db = new BenchDatabase(server, (await server.start()).databaseUrl);
    if (counting) await db.query('postgres', 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    return db;
  }

  /** Costs of the statements of a database since the last call, most expensive first. */
  async statements(database: string): Promise<StatementCost[]> {
    const rows = await this.query<StatementCost>('postgres', STATEMENTS, [database]);
    const reset = 'SELECT pg_stat_statements_reset(0, oid, 0) FROM pg_database WHERE datname = $1';
    await this.query('postgres', reset, [database]);
    return rows;
  }

  urlOf(database: string): string {
    const url = new URL(this.ownerUrl);
    url.pathname = `/${database}`;
    return url.toString();
  }

  /** Makes a database; with a template, a copy of one that nobody is connected to. */
  async create(database: string, template?: string): Promise<void> {
    await this.disconnect();
    const copied = template === undefined ? '' : ` TEMPLATE ${template} STRATEGY file_copy`;
    await this.query('postgres', `CREATE DATABASE ${database}${copied}`);
  }

  /** Runs a statement as the owner, who sees every schema. */
  async query<Row extends object>(
    database: string,
    sql: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return (await this.poolOf(database).query<Row>(sql, values)).rows;
  }

  /** Runs statements in one database transaction, as the owner. */
  async write(
    database: string,
    work: (run: (sql: string, values?: unknown[]) => Promise<unknown>) => Promise<unknown>,
  ): Promise<void> {
    const client = await this.poolOf(database).connect();
    try {
      await client.query('BEGIN');
      await work((sql, values) => client.query(sql, values));
      await client.query('COMMIT');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Pid of the server, whose children serve the connections. */
  async serverPid(): Promise<number> {
    const sql = "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid";
    const [row] = await this.query<{ pid: number }>('postgres', sql);
    return row?.pid ?? 0;
  }

  async stop(): Promise<void> {
    await this.disconnect();
    await this.server.stop();
  }

  private async disconnect(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.end()));
    this.pools.clear();
  }

  private poolOf(database: string): Pool {
    let pool = this.pools.get(database);
    if (pool === undefined) {
      pool = new Pool({ connectionString: this.urlOf(database), max: 4 });
      pool.on('error', () => undefined); // the next statement takes a new connection
      this.pools.set(database, pool);
    }
    return pool;
  }
}
