import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { isRunning } from '@fiado/embedded-postgres/postmaster-pid';
import { Pool } from 'pg';

/** The owner's. */
const DATABASE = 'fiado';
const POLL_MS = 10;
/** An immediate shutdown takes some tens of milliseconds. */
const STOP_DEADLINE_MS = 10_000;
/** The checker's statements: many rows once, nothing slow. */
const STATEMENT_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 5_000;

interface DatabaseOptions {
  /** Settings of the server, such as `archive_mode = on`. */
  settings?: string[];
  /** The folder of its files; unset: a new one. */
  dataDir?: string;
  /** Another way to the server, such as an address that can move. @returns the URL by that way */
  through?: (serverUrl: string) => Promise<string>;
}

/** A Postgres of the harness, which controls when the database is unavailable. */
export class ChaosDatabase {
  /** The URL that the system gets. */
  readonly url: string;
  /** The URL of the server itself. */
  readonly serverUrl: string;

  private constructor(
    urls: { url: string; serverUrl: string },
    readonly dataDir: string,
    private readonly server: EmbeddedPostgres,
    private readonly pool: Pool,
  ) {
    ({ url: this.url, serverUrl: this.serverUrl } = urls);
  }

  static async start({
    settings = [],
    dataDir: given,
    through = (url) => Promise.resolve(url),
  }: DatabaseOptions = {}): Promise<ChaosDatabase> {
    const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'fiado-chaos-db-')));
    const server = new EmbeddedPostgres({ dataDir, durable: false });
    const { databaseUrl } = await server.start();
    if (settings.length > 0) {
      await asOwner(databaseUrl, async (owner) => {
        for (const setting of settings) await owner.query(`ALTER SYSTEM SET ${setting}`);
      });
      await server.stop();
      await server.start();
    }
    const url = await through(databaseUrl);
    const pool = new Pool({
      connectionString: url,
      max: 2,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
    pool.on('error', () => undefined); // the next statement takes a new connection
    return new ChaosDatabase({ url, serverUrl: databaseUrl }, dataDir, server, pool);
  }

  /** Reads as the owner, who sees every schema. */
  async query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, values)).rows;
  }

  /** An immediate shutdown: no connection is ended in order, the log is replayed at the start. */
  stopAtOnce(): Promise<void> {
    return this.stop('SIGQUIT');
  }

  /** Ends it by SIGINT (in order), SIGQUIT (at once) or SIGKILL. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const [file] = await this.query<{ text: string }>(
      "SELECT pg_read_file('postmaster.pid') AS text",
    );
    const pid = Number.parseInt(file?.text ?? '', 10);
    process.kill(pid, signal);
    const deadline = Date.now() + STOP_DEADLINE_MS;
    while (isRunning(pid)) {
      if (Date.now() > deadline) throw new Error(`The database (pid ${pid}) does not end`);
      await sleep(POLL_MS);
    }
  }

  /** Brings it back on the same port. */
  async start(): Promise<void> {
    const { databaseUrl } = await this.server.start();
    if (databaseUrl !== this.serverUrl) throw new Error('The database had to change its port');
  }

  /** As a failover does it: connections break, and new ones reach a server that takes no writes. */
  async becomeReadOnly(): Promise<void> {
    await this.query(`ALTER DATABASE ${DATABASE} SET default_transaction_read_only = on`);
    await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = '${DATABASE}' AND usename <> current_user`,
    );
  }

  /** Connections that are made from now on reach the new primary; those that stand do not. */
  async becomeWritable(): Promise<void> {
    await this.query(
      `BEGIN READ WRITE;
       ALTER DATABASE ${DATABASE} RESET default_transaction_read_only;
       COMMIT`,
    );
  }

  async dispose(): Promise<void> {
    await this.pool.end();
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
