import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { lastLines, SERVER_ENVIRONMENT, type OsUser } from '../run';

const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Test processes with a few services each; the same for every server of the tests. */
export const MAX_CONNECTIONS = 400;

/** A started server that the integration tests use: PostgreSQL, or PgBouncer before one. */
export interface Server {
  /** URL of the owner. */
  url: string;
  stop(): Promise<void>;
}

interface ServerProcess {
  /** The server's name in errors. */
  name: string;
  process: ChildProcess;
  logFile: string;
}

/**
 * Starts a server as an OS user, with its output in `logFile`.
 * @throws Error when its program is missing, or may not be run
 */
export async function launchServer(
  name: string,
  command: string[],
  { logFile, cwd, user }: { logFile: string; cwd: string; user: OsUser | undefined },
): Promise<ServerProcess> {
  const [program = '', ...args] = command;
  const log = await open(logFile, 'w');
  try {
    const child = spawn(program, args, {
      cwd,
      env: SERVER_ENVIRONMENT,
      // In a group of its own: Ctrl-C must end the tests before the server.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      ...user,
    });
    await once(child, 'spawn').catch((error: Error) => {
      throw new Error(`${name} did not start: ${error.message}`, { cause: error });
    });
    return { name, process: child, logFile };
  } finally {
    await log.close();
  }
}

/** Waits until the server takes a connection. @throws Error with the last lines of its log */
export async function untilReady(server: ServerProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (server.process.exitCode !== null || Date.now() > deadline) {
        const log = await readFile(server.logFile, 'utf8');
        throw new Error(`${server.name} did not start:\n${lastLines(log)}`, { cause: error });
      }
    } finally {
      await client.end().catch(() => undefined);
    }
    await pause(POLL_MS);
  }
}

/** Stops the server, if it still runs. */
export async function stopServer(
  { process: child }: ServerProcess,
  signal: NodeJS.Signals,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
