import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Stored in DATA_DIR by `npm start` while it runs, for the programs that call it. */
export interface RunningAddress {
  /** Address of the gateway on this machine. */
  baseUrl: string;
}

/** File of the running system's address. */
export function addressFile(dataDir: string): string {
  return join(dataDir, 'address.json');
}

/** Base URL of the system that runs on a data folder; undefined when none does. */
export async function runningBaseUrl(dataDir: string): Promise<string | undefined> {
  try {
    const text = await readFile(addressFile(dataDir), 'utf8');
    const { baseUrl } = JSON.parse(text) as Partial<RunningAddress>;
    return typeof baseUrl === 'string' ? baseUrl : undefined;
  } catch {
    return undefined; // not there, or not ours to read
  }
}
