import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
