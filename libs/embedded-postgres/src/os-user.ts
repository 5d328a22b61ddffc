import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { run, type OsUser } from './run';

const LOOKUP_TIMEOUT_MS = 10_000;

/** `postgres` is what packages create, `fiado` what we create, `nobody` where nothing can be. */
const CANDIDATES = ['postgres', 'fiado'];

/** Bits of a mode, as they stand for "others". */
export const READ = 4;
export const ENTER = 1;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Who the server runs as when we are root, since PostgreSQL refuses root: the owner of an existing
 * cluster, else `postgres`, else `fiado` (created on first use), else `nobody`: a container without
 * useradd still has it, and initdb only asks that the user has a name.
 */
export async function databaseUser(clusterFolder: string): Promise<OsUser> {
  const owner = await stat(clusterFolder).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };

  for (const name of CANDIDATES) {
    const user = await lookUp(name);
    if (user) return user;
  }

  // Two starts may create it at once: who loses finds the winner's.
  await run('useradd', ['--system', '--no-create-home', '--shell', '/bin/false', 'fiado'], {
    timeoutMs: LOOKUP_TIMEOUT_MS,
  }).catch(() => undefined);
  const user = (await lookUp('fiado')) ?? (await lookUp('nobody'));
  if (user) return user;
  throw new Error(
    'PostgreSQL does not run as root, and there is no user to run it as. ' +
      'Create one (useradd --system postgres), start as another user, or set DATABASE_URL.',
  );
}

/** Whether the mode of this file or folder lets the user do it (bits as for "others"). */
export async function allows(path: string, user: OsUser, bits: number): Promise<boolean> {
  const { mode, uid, gid } = await stat(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}

/** The first folder on the way from `/` to this one that the user cannot enter. */
export async function closedFolder(path: string, user: OsUser): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await closedFolder(parent, user);
  return above ?? ((await allows(path, user, ENTER)) ? undefined : path);
}

/** True of a home folder: its owner's choice of mode is left alone. */
export function isHome(path: string): boolean {
  return path === homedir() || path === '/';
}

async function lookUp(name: string): Promise<OsUser | undefined> {
  try {
    // `id` and not /etc/passwd: it also knows directory services and macOS.
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map((flag) => run('id', [flag, name], { timeoutMs: LOOKUP_TIMEOUT_MS })),
    );
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}
