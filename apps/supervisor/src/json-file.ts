import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartupError } from './say';

/** Reads a JSON file of ours; undefined when there is none. */
export async function readJsonFile<T>(path: string): Promise<T | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : String(error);
    throw new StartupError(`${path} cannot be read: ${why}. Restore it from a backup.`);
  }
}

/** Writes a JSON file of ours, readable by its owner only. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWhole(path, `${JSON.stringify(value, null, 2)}\n`, 0o600);
}

/** Writes a file atomically, even if the machine stops: who reads it gets the old text or the new. */
export async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
