import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { databaseUser, isRoot } from '../os-user';
import { ADDRESS, choosePort } from '../connection';
import { launchServer, stopServer, untilReady, type Server } from './server';

/** Enough for the integration tests, which open many databases. */
const LIMITS = { max_client_conn: '2000', default_pool_size: '20', query_wait_timeout: '5' };

/**
 * Starts PgBouncer in transaction mode before a PostgreSQL.
 * @param program path of `pgbouncer`
 * @param postgresUrl URL of the owner
 * @param settings of its own, such as limits of connections
 * @param port a free one, unless it takes the place of one that was stopped
 * @throws Error when the program is missing, or does not start
 */
export async function startPgbouncer(
  program: string,
  postgresUrl: string,
  settings: Record<string, string> = LIMITS,
  port?: number,
): Promise<Server> {
  if (!existsSync(program)) throw new Error(`${program} is missing: apt-get install pgbouncer`);
  const folder = await mkdtemp(join(tmpdir(), 'fiado-pgbouncer-'));
  // PgBouncer refuses to run as root.
  const user = isRoot() ? await databaseUser(folder) : undefined;
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const url = new URL(postgresUrl);
  url.port = String(await choosePort(port));
  const files = pgbouncerFiles(postgresUrl, { address: ADDRESS, port: url.port, folder }, settings);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const server = await launchServer('PgBouncer', [program, join(folder, 'pgbouncer.ini')], {
    logFile: join(folder, 'pgbouncer.log'),
    cwd: folder,
    user,
  });
  const stop = async () => {
    // Immediate shutdown: it disconnects clients instead of waiting for them.
    await stopServer(server, 'SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  await untilReady(server, url.toString()).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url: url.toString(), stop };
}

/**
 * The files of PgBouncer in transaction mode, by name. As docs/deployment.md has it, PgBouncer asks
 * Postgres for the passwords of the services' roles.
 * @param postgresUrl URL of the owner, as PgBouncer reaches it
 * @param place where PgBouncer listens, and the folder of these files
 */
export function pgbouncerFiles(
  postgresUrl: string,
  { address, port, folder }: { address: string; port: string; folder: string },
  settings: Record<string, string> = LIMITS,
): Record<'userlist.txt' | 'pgbouncer.ini', string> {
  const { hostname, port: postgresPort, username, password } = new URL(postgresUrl);
  return {
    'userlist.txt': `"${username}" "${password}"\n`,
    'pgbouncer.ini': `[databases]
* = host=${hostname} port=${postgresPort}
[pgbouncer]
listen_addr = ${address}
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${posix.join(folder, 'userlist.txt')}
auth_user = ${username}
admin_users = ${username}
pool_mode = transaction
${Object.entries(settings)
  .map(([name, value]) => `${name} = ${value}`)
  .join('\n')}
`,
  };
}
