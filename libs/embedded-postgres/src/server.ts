import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster';
import { ADDRESS } from './connection';
import type { Home } from './home';
import { lastLines, SERVER_ENVIRONMENT } from './run';

export interface ServerOptions {
  port: number;
  durable: boolean;
  maxConnections: number;
}

/** A server that was launched and may still be starting. */
export interface LaunchedServer {
  pid: number;
  /** The log since its launch. */
  readLog(): Promise<string>;
}

/** Beyond this the log of earlier starts is set aside as server.log.1. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;

/**
 * Launches the server in a session of its own: Ctrl-C hits the whole group of a terminal, and the
 * database must outlive the services that write to it.
 */
export async function launchServer(
  home: Home,
  cluster: Cluster,
  options: ServerOptions,
): Promise<LaunchedServer> {
  const before = await rotate(cluster.log);
  // The folder belongs to the server's user: root must not follow a link that it may plant there.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const log = await open(cluster.log, flags, 0o600);

  try {
    const child = spawn(join(home.native, 'bin/postgres'), argumentsFor(cluster, options), {
      cwd: home.folder,
      env: SERVER_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      ...home.user,
    });
    if (child.pid === undefined) {
      const [cause] = (await once(child, 'error')) as [Error];
      throw new Error(`The database server cannot run: ${cause.message}`, { cause });
    }
    child.unref();
    return {
      pid: child.pid,
      readLog: async () => (await readFile(cluster.log)).subarray(before).toString(),
    };
  } finally {
    await log.close();
  }
}

/** The last lines of the server's log, for an error. */
export async function logTail(cluster: Cluster): Promise<string> {
  const text = await readFile(cluster.log, 'utf8').catch(() => '');
  return `Last lines of ${cluster.log}:\n${lastLines(text)}`;
}

function argumentsFor(cluster: Cluster, options: ServerOptions): string[] {
  const settings = {
    port: options.port,
    listen_addresses: ADDRESS,
    unix_socket_directories: '',
    max_connections: options.maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements and details of errors hold what people entered: names, phones, keys.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: 0,
    // Commits stay synchronous even so: a killed server must find them in its own log.
    ...(options.durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return [
    '-D',
    cluster.data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

async function rotate(log: string): Promise<number> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size < MAX_LOG_BYTES) return size;
  await rename(log, `${log}.1`);
  return 0;
}
