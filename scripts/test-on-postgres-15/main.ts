import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseUser, isRoot, type OsUser } from '@fiado/embedded-postgres/os-user';
import { ADDRESS, choosePort } from '@fiado/embedded-postgres/port';
import { lastLines, run, SERVER_ENVIRONMENT } from '@fiado/embedded-postgres/run';
import { Client } from 'pg';

/**
 * Runs the integration tests on PostgreSQL 15, the oldest version that Fiado supports. The server
 * comes from Debian's package postgresql-15, or from the folder of binaries in POSTGRES_BIN. It is
 * thrown away afterwards. Arguments are passed on to Vitest.
 */

const BINARIES = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin';

/** As many as the embedded server of the integration tests has. */
const MAX_CONNECTIONS = 400;

const INITDB_TIMEOUT_MS = 120_000;
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** No tests are lost with the data, so nothing is forced to disk. */
const SETTINGS = {
  max_connections: MAX_CONNECTIONS,
  listen_addresses: ADDRESS,
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  timezone: 'UTC',
};

async function main(): Promise<number> {
  if (!existsSync(join(BINARIES, 'initdb'))) {
    throw new Error(`${BINARIES} holds no PostgreSQL: apt-get install postgresql-15`);
  }
  const folder = await mkdtemp(join(tmpdir(), 'fiado-postgres-15-'));
  // PostgreSQL refuses to run as root.
  const user = isRoot() ? await databaseUser(folder) : undefined;
  const password = randomBytes(24).toString('base64url');
  let server: ChildProcess | undefined;
  try {
    await initCluster(folder, user, password);
    const port = await choosePort();
    server = await launch(folder, user, port);
    const url = `postgresql://fiado:${password}@${ADDRESS}:${port}/postgres`;
    await untilReady(url, server, folder);
    return await runTests(url);
  } finally {
    await stop(server);
    await rm(folder, { recursive: true, force: true });
  }
}

async function initCluster(
  folder: string,
  user: OsUser | undefined,
  password: string,
): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) {
    for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  }
  const options = [
    `--pgdata=${join(folder, 'data')}`,
    '--username=fiado',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ];
  await run(join(BINARIES, 'initdb'), options, {
    timeoutMs: INITDB_TIMEOUT_MS,
    user,
    cwd: folder,
  });
}

async function launch(
  folder: string,
  user: OsUser | undefined,
  port: number,
): Promise<ChildProcess> {
  const log = await open(join(folder, 'server.log'), 'w');
  const settings = Object.entries({ ...SETTINGS, port });
  try {
    return spawn(
      join(BINARIES, 'postgres'),
      [
        '-D',
        join(folder, 'data'),
        ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // In a group of its own: Ctrl-C must end the tests before the server.
      {
        cwd: folder,
        env: SERVER_ENVIRONMENT,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        ...user,
      },
    );
  } finally {
    await log.close();
  }
}

async function untilReady(url: string, server: ChildProcess, folder: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) {
        const log = await readFile(join(folder, 'server.log'), 'utf8');
        throw new Error(`PostgreSQL did not start:\n${lastLines(log)}`, { cause: error });
      }
    } finally {
      await client.end().catch(() => undefined);
    }
    await pause(POLL_MS);
  }
}

async function runTests(url: string): Promise<number> {
  const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
  const options = ['run', '--project', 'integration', ...process.argv.slice(2)];
  const tests = spawn(process.execPath, [vitest, ...options], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE_URL: url },
  });
  // The terminal sends Ctrl-C to the tests too; a SIGTERM reaches this process alone.
  const passOn = (signal: NodeJS.Signals) => tests.kill(signal);
  process.on('SIGINT', passOn).on('SIGTERM', passOn);
  const [code] = (await once(tests, 'exit')) as [number | null];
  process.off('SIGINT', passOn).off('SIGTERM', passOn);
  return code ?? 1;
}

async function stop(server: ChildProcess | undefined): Promise<void> {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  // Fast shutdown: it disconnects clients instead of waiting for them.
  server.kill('SIGINT');
  await gone;
}

void main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
