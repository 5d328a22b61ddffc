import { realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureCluster, type Cluster } from './cluster';
import { choosePort, isReady, ownerUrl } from './connection';
import { prepareHome, type Home } from './home';
import { findPostmaster, isRunning } from './postmaster-pid';
import { launchServer, logTail } from './server';

export interface EmbeddedPostgresOptions {
  /** Folder that the database may use; created when missing. */
  dataDir: string;
  /**
   * False for tests: no fsync, no full_page_writes, no checksums, no sync of a new cluster, passwords hashed
   * once. Default true.
   */
  durable?: boolean;
  /** Default 200. */
  maxConnections?: number;
  /** Hears what a person should know, such as that the database lives elsewhere, and why. */
  say?: (line: string) => void;
}

export interface StartedPostgres {
  /** URL of the owner, a superuser. */
  databaseUrl: string;
  /** True when the server ran already: a survivor of a start that was killed. */
  adopted: boolean;
}

/** All of a start; recovery after a crash is the longest part. */
const START_TIMEOUT_MS = 120_000;

/** How often a starting or stopping server is looked at. */
const POLL_MS = 15;

/** Signals of a stop, and how long it waits after each: fast shutdown, immediate shutdown, kill. */
const STOP_STEPS = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/**
 * Failures of a launch that the next attempt may not have: a port taken in between, another start
 * that was faster, or the last processes of a killed server that are still going.
 */
const PASSING_FAILURE =
  /could not bind|postmaster\.pid" already exists|pre-existing shared memory block/;

const DEFAULT_MAX_CONNECTIONS = 200;

/**
 * A PostgreSQL of our own in a folder, from the binaries of npm. It outlives this process when that
 * is killed, and the next start adopts it.
 */
export class EmbeddedPostgres {
  readonly #options: Required<EmbeddedPostgresOptions>;
  #home: Home | undefined;
  #cluster: Cluster | undefined;
  #port: number | undefined;
  #starting: Promise<StartedPostgres> | undefined;
  #callOff = new AbortController();

  constructor(options: EmbeddedPostgresOptions) {
    this.#options = {
      durable: true,
      maxConnections: DEFAULT_MAX_CONNECTIONS,
      say: () => undefined,
      ...options,
    };
  }

  /**
   * Makes the database on first use, adopts a server that runs already, else starts one. May be
   * called again, to bring back a server that died: on the same port, if that is still free.
   * @param signal calls the start off; unlike stop() that never touches a server found running
   */
  start(signal?: AbortSignal): Promise<StartedPostgres> {
    this.#starting ??= this.#start(signal).finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  /** Fast shutdown; resolves when the server is gone. Does nothing when it was never started. */
  async stop(): Promise<void> {
    this.#callOff.abort();
    await this.#starting?.catch(() => undefined); // the caller of start() gets the error
    this.#callOff = new AbortController();
    if (!this.#cluster) return;

    const server = await findPostmaster(this.#cluster.data);
    if (!server) return;
    for (const { signal, waitMs } of STOP_STEPS) {
      if (isRunning(server.pid)) process.kill(server.pid, signal);
      if (await isGone(server.pid, waitMs)) return;
    }
    throw new Error(
      `The database (pid ${server.pid}) does not end. ${await logTail(this.#cluster)}`,
    );
  }

  async #start(signal?: AbortSignal): Promise<StartedPostgres> {
    const { dataDir, durable, say } = this.#options;
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    const end = AbortSignal.any([timeout, this.#callOff.signal, ...(signal ? [signal] : [])]);
    const home = (this.#home ??= await prepareHome(dataDir, say));
    const cluster = await ensureCluster(home, durable);
    // The server names its data folder with links resolved: so must we, to know it again.
    cluster.data = await realpath(cluster.data);
    this.#cluster = cluster;

    while (!end.aborted) {
      const running = await findPostmaster(cluster.data);
      if (!running) {
        if (await this.#launch(home, cluster, end)) return this.#started(cluster, false);
      } else if (running.ready && (await isReady(running.port, cluster.password, cluster.data))) {
        this.#port = running.port;
        return this.#started(cluster, true);
      }
      await pause(POLL_MS);
    }
    if (!timeout.aborted) throw new Error('The start of the database was cancelled');
    throw new Error(
      `The database did not answer within ${START_TIMEOUT_MS / 1000} s. ${await logTail(cluster)}`,
    );
  }

  #started(cluster: Cluster, adopted: boolean): StartedPostgres {
    return { databaseUrl: ownerUrl(this.#port ?? 0, cluster.password), adopted };
  }

  /** Launches a server and waits for it. False: another try may succeed. */
  async #launch(home: Home, cluster: Cluster, end: AbortSignal): Promise<boolean> {
    const { durable, maxConnections } = this.#options;
    const port = await choosePort(this.#port);
    const server = await launchServer(home, cluster, { port, durable, maxConnections });
    const { pid } = server;

    try {
      while (isRunning(pid)) {
        end.throwIfAborted();
        const running = await findPostmaster(cluster.data);
        if (running?.pid === pid && running.ready) {
          if (await isReady(port, cluster.password, cluster.data)) {
            this.#port = port;
            return true;
          }
        }
        await pause(POLL_MS);
      }
    } catch (error) {
      // Stop the server that we started and cannot use.
      if (isRunning(pid)) process.kill(pid, 'SIGINT');
      await isGone(pid, STOP_STEPS[0].waitMs);
      if (end.aborted) return false;
      throw error;
    }
    if (PASSING_FAILURE.test(await server.readLog())) return false;
    throw new Error(`The database server ended while it started. ${await logTail(cluster)}`);
  }
}

/** Waits until a process is gone; false when it is still there after the time given. */
async function isGone(pid: number, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}
