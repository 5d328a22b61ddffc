import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseUser, isRoot } from '@fiado/embedded-postgres/os-user';
import type { OsUser } from '@fiado/embedded-postgres/run';
import { ADDRESS, choosePort } from '@fiado/embedded-postgres/connection';
import { run } from '@fiado/embedded-postgres/run';
import { makeRoomyFolder } from '@fiado/embedded-postgres/testing/roomy-folder';
import {
  launchServer,
  MAX_CONNECTIONS,
  stopServer,
  untilReady,
  type Server,
} from '@fiado/embedded-postgres/testing/server';

const INITDB_TIMEOUT_MS = 120_000;

/** No tests are lost with the data, so nothing is forced to disk. */
export const SETTINGS = {
  max_connections: MAX_CONNECTIONS,
  fsync: 'off',
  full_page_writes: 'off',
  timezone: 'UTC',
};

/**
 * Starts PostgreSQL 15, the oldest version that Fiado supports, on a cluster of its own.
 * @param binaries folder of `initdb` and `postgres`
 * @throws Error when the binaries are missing, or the server does not start
 */
export async function startPostgres15(binaries: string): Promise<Server> {
  if (!existsSync(join(binaries, 'initdb'))) {
    throw new Error(`${binaries} holds no PostgreSQL: apt-get install postgresql-15`);
  }
  const folder = await makeRoomyFolder('fiado-postgres-15-');
  // PostgreSQL refuses to run as root.
  const user = isRoot() ? await databaseUser(folder) : undefined;
  const password = randomBytes(24).toString('base64url');
  await initCluster(join(binaries, 'initdb'), { folder, user, password });
  const port = await choosePort();
  const settings = Object.entries({
    ...SETTINGS,
    port,
    listen_addresses: ADDRESS,
    unix_socket_directories: '',
  });
  const command = [
    join(binaries, 'postgres'),
    '-D',
    join(folder, 'data'),
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const logFile = join(folder, 'server.log');
  const server = await launchServer('PostgreSQL', command, { logFile, cwd: folder, user });
  const stop = async () => {
    // Fast shutdown: it disconnects clients instead of waiting for them.
    await stopServer(server, 'SIGINT');
    await rm(folder, { recursive: true, force: true });
  };
  const url = `postgresql://fiado:${password}@${ADDRESS}:${port}/postgres`;
  await untilReady(server, url).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, stop };
}

async function initCluster(
  initdb: string,
  { folder, user, password }: { folder: string; user: OsUser | undefined; password: string },
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
  await run(initdb, options, {
    timeoutMs: INITDB_TIMEOUT_MS,
    user,
    cwd: folder,
  });
}
