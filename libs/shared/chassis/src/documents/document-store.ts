import { randomBytes, randomUUID } from 'node:crypto';
import {
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/database';
import { keepFingerprint } from '../db/key-fingerprints';

/** Stores documents. Their content is already encrypted. */
export interface DocumentStore {
  /**
   * Stores a content and returns its key.
   * @throws AppError SERVICE_UNAVAILABLE when the store is unavailable; it may hold the content even so
   */
  put(content: Buffer): Promise<string>;
  /** @throws Error when there is nothing under the key, AppError SERVICE_UNAVAILABLE as put */
  get(key: string): Promise<Buffer>;
  /**
   * Does nothing when there is nothing under the key.
   * @throws AppError SERVICE_UNAVAILABLE as put
   */
  remove(key: string): Promise<void>;
  /** Pages of the keys of everything stored before a time, and of incomplete files. */
  listPutBefore(time: Date): AsyncIterable<string[]>;
  close(): Promise<void>;
}

const KEY_BYTES = 24;

/** A new name of a document, which cannot be guessed and says nothing of its content. */
export function newDocumentKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

const OWNER_ONLY_FOLDER = 0o700;

const OWNER_ONLY_FILE = 0o600;

/** Keys of a page: as many as S3 lists at a time. */
const PAGE_SIZE = 1_000;

/** Documents as files of a folder, which several instances of the service have to share. */
export function createLocalDocumentStore(folder: string): DocumentStore {
  return {
    async put(content) {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      const key = newDocumentKey();
      const path = join(folder, key);
      await write(`${path}.part`, content);
      // Only a complete file gets the name.
      await rename(`${path}.part`, path);
      return key;
    },
    get: (key) => readFile(join(folder, key)),
    remove: (key) => rm(join(folder, key), { force: true }),
    async *listPutBefore(time) {
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      let page: string[] = [];
      for (const name of await readdir(folder)) {
        const found = await stat(join(folder, name)).catch(() => undefined);
        if (found?.isFile() !== true || found.mtime >= time) continue;
        page.push(name);
        if (page.length < PAGE_SIZE) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
    close: async () => {},
  };
}

/** Flushed to disk before it returns, so that no row names a file that was lost. */
async function write(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY_FILE);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    // Removes a partial file, so that it does not keep a full disk full.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** In a folder of its own, which the sweep of documents leaves alone. */
const ID_FOLDER = '.store';

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
