import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';

import { InstanceLock } from './instance-lock';
import type { Say } from './say';
import { messageOf, StartupError } from './startup-error';

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

/** The embedded server may be stopping, because another supervisor is ending. */
const OPEN_ATTEMPTS = 3;

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
