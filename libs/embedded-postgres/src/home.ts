import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { makeFolders, nativeTree } from './binaries';
import { allows, closedFolder, databaseUser, ENTER, isHome, isRoot } from './os-user';
import { codeOf, type OsUser } from './run';

/** Where the database lives, and as whom. */
export interface Home {
  /** Holds `data`, the password and the log; 0700 of the server's user. */
  folder: string;
  /** Holds `bin`, `lib` and `share`. */
  native: string;
  /** The server's user, when it is not our own. */
  user?: OsUser;
}

/** Where root keeps a database whose own folder the server's user cannot enter. */
const OTHER_PLACE = '/var/lib/fiado';

/**
 * File in the data folder that names the other place. A name made from the path alone would bring
 * an old database back to a data folder that was deleted, without the secrets that open it.
 */
const POINTER = 'postgres.place';

/**
 * Decides where the database lives below `dataDir` and makes the folders on the way. As root the
 * server runs as another user; where that user cannot enter, the database lives in a folder of
 * /var/lib/fiado that `dataDir` points to, and `say` reports it.
 */
export async function prepareHome(dataDir: string, say: (line: string) => void): Promise<Home> {
  const wanted = resolve(dataDir);
  if (!isRoot()) {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    return { folder: join(wanted, 'postgres'), native: await nativeTree(wanted) };
  }

  await makeFolders(wanted);
  const place = await readFile(join(wanted, POINTER), 'utf8').catch(() => undefined);
  const user = await databaseUser(join(place ?? wanted, 'postgres'));
  const base = place ?? (await choosePlace(wanted, user));
  if (base !== wanted) {
    await makeFolders(base);
    say(`the database lives in ${base}: its user (uid ${user.uid}) cannot enter ${wanted}`);
  }
  return { folder: join(base, 'postgres'), native: await nativeTree(OTHER_PLACE, user), user };
}

async function choosePlace(wanted: string, user: OsUser): Promise<string> {
  await letIn(wanted, user);
  if (!(await closedFolder(await realpath(wanted), user))) return wanted;

  const name = `${basename(wanted).replace(/^\.+/, '')}-${randomBytes(6).toString('hex')}`;
  return writeOnce(join(wanted, POINTER), join(OTHER_PLACE, name));
}

/** Grants the user access to the data folder, which is ours; its parents are not. */
async function letIn(folder: string, user: OsUser): Promise<void> {
  if (isHome(folder) || (await allows(folder, user, ENTER))) return;
  const { mode } = await stat(folder);
  await chmod(folder, (mode & 0o7777) | 0o011);
}

/** Writes a small file atomically unless it exists. @returns its content */
async function writeOnce(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  try {
    await link(draft, path); // fails where the file exists, which a rename would not
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}
