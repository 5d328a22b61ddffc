import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Home } from './home';
import { isRunning } from './postmaster-pid';
import { codeOf, run } from './run';

/** A database cluster on disk. */
export interface Cluster {
  data: string;
  log: string;
  password: string;
}

/** Name of the owner's role and of its database. */
export const OWNER = 'fiado';

/** The major version of the binaries: a cluster of another one cannot be opened. */
const POSTGRES_MAJOR = '18';

/** 24 random bytes are 32 characters that need no escaping in a URL. */
const PASSWORD_BYTES = 24;

/** Measured 0.8 s; a slow disk may need far longer to sync 40 MB. */
const INITDB_TIMEOUT_MS = 120_000;

const DRAFT = '.init-';

/**
 * The cluster in this home, made on first use. It is made in a folder next to it and renamed when
 * whole: a killed initdb never leaves half a cluster, and of two at once one wins.
 */
export async function ensureCluster(home: Home, durable: boolean): Promise<Cluster> {
  if (!(await versionIn(home.folder))) {
    await removeDeadDrafts(home.folder);
    const draft = await initCluster(home, durable);
    await rename(draft, home.folder).catch(async (error: unknown) => {
      await rm(draft, { recursive: true, force: true });
      if (!(await versionIn(home.folder))) {
        throw new Error(`${home.folder} exists and holds no database`, { cause: error });
      }
    });
  }

  const version = await versionIn(home.folder);
  if (version !== POSTGRES_MAJOR) {
    throw new Error(
      `${home.folder} was made by PostgreSQL ${version}, this is ${POSTGRES_MAJOR}: ` +
        'move the folder away, or dump and restore it with that version.',
    );
  }
  return {
    data: join(home.folder, 'data'),
    log: join(home.folder, 'server.log'),
    password: (await readFile(join(home.folder, 'password'), 'utf8')).trim(),
  };
}

async function versionIn(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, 'data/PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (codeOf(error) === 'EACCES') {
      throw new Error(
        `${folder} belongs to another user. Start as the user that made it, or choose another ` +
          'DATA_DIR.',
        { cause: error },
      );
    }
    return undefined;
  }
}

async function initCluster(home: Home, durable: boolean): Promise<string> {
  const suffix = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const draft = `${home.folder}${DRAFT}${suffix}`;
  const passwordFile = join(draft, 'password');
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  await mkdir(draft, { mode: 0o700 });

  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (home.user) {
      const { uid, gid } = home.user;
      await Promise.all([draft, passwordFile].map((path) => chown(path, uid, gid)));
    }

    const options = [
      `--pgdata=${join(draft, 'data')}`,
      `--username=${OWNER}`,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      // The built-in provider needs no locale of the machine, so every machine sorts the same.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      // Tests connect thousands of times, and 4,096 iterations of SCRAM take a millisecond at each end.
      ...(durable ? [] : ['--no-sync', '--no-data-checksums', '--set=scram_iterations=1']),
    ];
    await run(join(home.native, 'bin/initdb'), options, {
      timeoutMs: INITDB_TIMEOUT_MS,
      user: home.user,
      cwd: draft,
    });
    return draft;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`The database cannot be created. ${messageOf(error)}`, { cause: error });
  }
}

/** Removes what killed starts left; a draft carries the pid of its maker. */
async function removeDeadDrafts(folder: string): Promise<void> {
  const prefix = `${basename(folder)}${DRAFT}`;
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(prefix) || isRunning(Number.parseInt(name.slice(prefix.length), 10))) {
      continue;
    }
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
