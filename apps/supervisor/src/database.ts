import { setTimeout as pause } from 'node:timers/promises';
import { KEEP_ALIVE, LimitedClient } from '@fiado/chassis/db/limited-client';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { messageOf, StartupError, type Say } from './say';

/** Held by the one supervisor of a database. Spells "fiado" in ASCII. */
const SUPERVISOR_LOCK = 0x666961646f;

/** The server may need a moment to notice that the connection of a killed process is gone. */
const GRACE_MS = 1_000;
const LOCK_POLL_MS = 100;

const CONNECT_TIMEOUT_MS = 5_000;

/** Delay between attempts to reconnect, doubling. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/** The embedded server may be stopping, because another supervisor is ending. */
const OPEN_ATTEMPTS = 3;

/** The database of this run, locked for it. */
export interface Database {
  /** The owner's. */
  url: string;
  /** A killed start left the server running, so its services may still be ending. */
  adopted: boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Unset: the embedded one. */
  configuredUrl: string | undefined;
  /** Leads to the same database past PgBouncer, for the lock of the session. */
  directUrl: string | undefined;
  dataDir: string;
  say: Say;
  /** A failure that no retry can fix. Everything must stop. */
  onFailure: (error: StartupError) => void;
}

/** Opens the database and makes this supervisor its only one. */
export async function openDatabase(
  options: DatabaseOptions,
  signal: AbortSignal,
): Promise<Database> {
  return options.configuredUrl === undefined
    ? openEmbedded(options, signal)
    : openConfigured(options, options.configuredUrl);
}

async function openConfigured(options: DatabaseOptions, url: string): Promise<Database> {
  const lockUrl = options.directUrl ?? url;
  const lock = new InstanceLock({
    say: options.say,
    revive: async () => lockUrl,
    onTaken: () => options.onFailure(otherSupervisor('database')),
  });
  const locked = await lock.acquire(lockUrl).catch((error: unknown) => {
    throw new StartupError(`DATABASE_URL: no connection: ${messageOf(error)}`);
  });
  if (!locked) throw otherSupervisor('database');
  return { url, adopted: false, close: () => lock.release() };
}

async function openEmbedded(options: DatabaseOptions, signal: AbortSignal): Promise<Database> {
  const { dataDir, say, onFailure } = options;
  const server = new EmbeddedPostgres({ dataDir, say });
  let url = '';
  let taken = false;
  const lock = new InstanceLock({
    say,
    revive: async () => {
      const { databaseUrl } = await server.start();
      // The services have the old address, which cannot be changed while they run.
      if (databaseUrl !== url)
        onFailure(new StartupError('the database restarted on another port'));
      return databaseUrl;
    },
    onTaken: () => {
      taken = true;
      onFailure(otherSupervisor('DATA_DIR'));
    },
  });
  const close = async () => {
    // The lock is held until the server has stopped, so that nobody adopts a stopping server.
    lock.expectEnd();
    if (!taken) await server.stop();
    await lock.release();
  };

  for (let attempt = 1; ; attempt += 1) {
    const { databaseUrl, adopted } = await server.start(signal);
    url = databaseUrl;
    try {
      // The server belongs to another supervisor: it is not stopped here.
      if (!(await lock.acquire(url))) throw otherSupervisor('DATA_DIR');
      return { url, adopted, close };
    } catch (error) {
      if (error instanceof StartupError) throw error;
      if (attempt < OPEN_ATTEMPTS) continue;
      if (!adopted) await server.stop();
      throw error;
    }
  }
}

function otherSupervisor(place: 'database' | 'DATA_DIR'): StartupError {
  return new StartupError(`another npm start is running on this ${place}; nothing was changed`);
}

interface InstanceLockOptions {
  say: Say;
  /** Restarts the database if it is the embedded one, and returns its URL. */
  revive: () => Promise<string>;
  /** Another supervisor has the lock now: this one must stop. */
  onTaken: () => void;
}

/**
 * The advisory lock that makes a supervisor the only one of its database, on its own connection.
 */
class InstanceLock {
  #client: LimitedClient | undefined;
  /** The server's process of the last connection with the lock. */
  #holder: number | undefined;
  #released = false;

  constructor(private readonly options: InstanceLockOptions) {}

  /** False when another supervisor holds it. */
  async acquire(databaseUrl: string): Promise<boolean> {
    const client = new LimitedClient({
      connectionString: databaseUrl,
      application_name: 'fiado-supervisor',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...KEEP_ALIVE,
    });
    client.on('error', () => undefined); // 'end' follows with the reason
    try {
      await client.connect();
      if (this.#holder !== undefined) await endHolder(client, this.#holder);
      if (!(await lockWithin(client, GRACE_MS))) {
        await client.end();
        return false;
      }
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      this.#holder = rows[0]?.pid;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    client.once('end', () => void this.#regain());
    return true;
  }

  /** From now on a lost connection is expected; `release` closes it. */
  expectEnd(): void {
    this.#released = true;
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #regain(): Promise<void> {
    const { say, revive, onTaken } = this.options;
    let lastReason = '';

    for (let delay = FIRST_RETRY_MS; ; delay = Math.min(delay * 2, LAST_RETRY_MS)) {
      if (this.#released) return;
      if (lastReason === '') say('the connection to the database was lost; reconnecting');
      try {
        if (await this.acquire(await revive())) return say('connected to the database again');
        return onTaken();
      } catch (error) {
        if (this.#released) return;
        const reason = messageOf(error);
        if (reason !== lastReason) say(`the database is unavailable, retrying: ${reason}`);
        lastReason = reason;
      }
      await pause(delay, undefined, { ref: false });
    }
  }
}

/**
 * Ends the lost connection of this supervisor where the server still keeps it, and the lock with it: neither end
 * heard of the other's, as behind a firewall that forgot the connection.
 */
async function endHolder(client: LimitedClient, pid: number): Promise<void> {
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND (classid::bigint << 32) + objid::bigint = $1 AND pid = $2`,
    [SUPERVISOR_LOCK, pid],
  );
}

async function lockWithin(client: LimitedClient, graceMs: number): Promise<boolean> {
  const deadline = Date.now() + graceMs;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS locked',
      [SUPERVISOR_LOCK],
    );
    if (rows[0]?.locked) return true;
    if (Date.now() > deadline) return false;
    await pause(LOCK_POLL_MS);
  }
}
