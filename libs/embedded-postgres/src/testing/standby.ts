import { rm, writeFile } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { EmbeddedPostgres } from '../embedded-postgres';
import { makeRoomyFolder } from './roomy-folder';
import { spawnSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { Client } from 'pg';

/** Files of a running server, which its copy must not have. */
const OWN = ['postmaster.pid', 'postmaster.opts'];

/**
 * A base backup of a running server by the functions of Postgres' own API for tools, because npm's binaries have no
 * pg_basebackup. Needs the write-ahead log from its beginning on: an archive, or a running primary.
 * @param home folder of the embedded server: its data, its password and its log
 * @param copy a new folder
 */
export async function takeBaseBackup(url: string, home: string, copy: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('drill', true)");
    // Files that come or go meanwhile are repeated by the log.
    const { stderr, error } = spawnSync('cp', ['-a', home, copy], { encoding: 'utf8' });
    const wrong = stderr
      .split('\n')
      .filter((line) => line !== '' && !line.includes('No such file'));
    if (error !== undefined || wrong.length > 0) throw error ?? new Error(wrong.join('\n'));
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    await writeOwned(join(copy, 'data/backup_label'), rows[0]?.labelfile ?? '');
    for (const name of OWN) await rm(join(copy, 'data', name), { force: true });
  } finally {
    await client.end();
  }
}

/** Writes a file of the server, which belongs to the server's user. */
export async function writeOwned(path: string, text: string, flag: 'w' | 'a' = 'w'): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag });
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}

/** How the primary names the standby, in pg_stat_replication and synchronous_standby_names. */
export const STANDBY_NAME = 'standby';

/** A server that replays what another one writes, and answers statements that only read. */
export interface Standby {
  /** URL of the owner. */
  url: string;
  /** Fast shutdown. */
  stop(): Promise<void>;
  /** Stops it and deletes its files. */
  dispose(): Promise<void>;
}

/**
 * Starts a standby on a copy of the files of a running server, from which it receives the write-ahead log.
 * @param primary an embedded server: the URL of its owner, and its `dataDir`
 */
export async function startStandby(primary: { url: string; dataDir: string }): Promise<Standby> {
  const dataDir = await makeRoomyFolder('fiado-standby-');
  const copy = join(dataDir, 'postgres');
  await takeBaseBackup(primary.url, join(primary.dataDir, 'postgres'), copy);
  const { hostname, port, username, password } = new URL(primary.url);
  const way = `host=${hostname} port=${port} user=${username} password=${password}`;
  await writeOwned(join(copy, 'data/standby.signal'), '');
  await writeOwned(
    join(copy, 'data/postgresql.auto.conf'),
    `primary_conninfo = '${way} application_name=${STANDBY_NAME}'\n`,
    'a',
  );
  const server = new EmbeddedPostgres({ dataDir, durable: false });
  const { databaseUrl: url } = await server.start();
  return {
    url,
    stop: () => server.stop(),
    dispose: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
