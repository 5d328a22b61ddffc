import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@fiado/chassis/db/database';
import { keepFingerprint } from '@fiado/chassis/db/keep-fingerprint';

/** In a folder of its own, which the sweep of documents leaves alone. */
const ID_FOLDER = '.store';
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Refuses a start on another folder than the one that holds the documents of this database: that of
 * another instance, or of an earlier start. The first start names the folder.
 * @throws Error telling what to do
 */
export async function requireSharedFolder(db: Database, folder: string): Promise<void> {
  const id = await idOf(join(folder, ID_FOLDER));
  if ((await keepFingerprint(db, 'uploads folder', id)) === id) return;
  throw new Error(
    `${folder} is not the folder of this database's uploads, which another instance or an earlier start used: ` +
      'instances of accounts share one folder, or use an S3 store (UPLOADS_URL). See Uploads in docs/deployment.md',
  );
}

/** The id of a folder, which the first of several instances writes. */
async function idOf(folder: string): Promise<string> {
  const file = join(folder, 'id');
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined) return known;
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const own = join(folder, randomUUID());
  await writeFile(own, randomUUID(), { flush: true });
  // Fails where another instance was first, and never leaves half a file.
  await link(own, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(own);
  return readFile(file, 'utf8');
}
