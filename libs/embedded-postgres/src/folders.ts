import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { codeOf } from './error-code';

/** Enter, but not list: enough for the server's user, and no view of the secrets' names. */
const ENTER_ONLY = 0o711;

/** Makes a folder; what did not exist on the way is opened for entering, whatever the umask is. */
export async function makeFolders(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (!first) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await chmod(made, ENTER_ONLY);
  }
}

/** Writes a small file atomically unless it exists. @returns its content */
export async function writeOnce(path: string, text: string): Promise<string> {
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
