import { resolve } from 'node:path';
import { Child } from './child';
import type { House } from './house';

const ROOT = resolve(__dirname, '../../..');

/** `fiado verify` against a running system. @returns its output if a check fails */
export async function verifyHouse(house: House, folder: string): Promise<string | undefined> {
  const child = new Child({
    name: 'verify',
    command: process.execPath,
    args: [`${ROOT}/apps/cli/bin/fiado.cjs`, 'verify'],
    env: { BASE_URL: house.urlOf('gateway'), OPS_API_KEY: house.opsKey },
    folder,
  });
  return child.finish().then(
    () => undefined,
    (error: unknown) => String(error),
  );
}
