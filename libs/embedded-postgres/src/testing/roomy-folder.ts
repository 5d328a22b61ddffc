import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory: to make and delete hundreds of databases there takes half the CPU time. */
const MEMORY_FOLDER = '/dev/shm';
/** The log of a server has up to 1 GB, and each test file that runs has a few databases of 12 MB. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Makes a folder for a server that does not care for its data, in memory where there is room for it.
 * Containers often have 64 MB there.
 */
export async function makeRoomyFolder(prefix: string): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  const place = bavail * bsize >= NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
  const folder = await mkdtemp(join(place, prefix));
  // The server's user must be able to enter it; otherwise the cluster would be kept elsewhere.
  await chmod(folder, 0o711);
  return folder;
}
