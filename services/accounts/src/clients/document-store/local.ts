import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentStore } from '../document-store';
import { newDocumentKey } from './new-document-key';

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
