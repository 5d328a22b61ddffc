import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { environmentOf, type House } from '../service-environment';
import { SERVICES } from '../services';

/**
 * Writes the environment of each process as one file for each variable, into a folder of its own
 * below `folder`: what is mounted into a service's container are its own settings and no other's.
 */
export async function writeSettings(house: House, folder: string): Promise<void> {
  for (const service of SERVICES) {
    const own = join(folder, service.name);
    await mkdir(own, { recursive: true, mode: 0o700 });
    const settings = Object.entries(environmentOf(service, house));
    const names = new Set(settings.map(([name]) => name));

    for (const [name, value] of settings) await writeWhole(join(own, name), value ?? '');
    // What an earlier start was told and this one is not.
    for (const name of await readdir(own)) {
      if (!names.has(name)) await rm(join(own, name));
    }
  }
}

/** A process that starts meanwhile reads the old value or the new one. */
async function writeWhole(path: string, value: string): Promise<void> {
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(value);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
