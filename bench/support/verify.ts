import { resolve } from 'node:path';
import { Child } from './child';
import type { System } from './system';

const ROOT = resolve(__dirname, '../../..');

/** `fiado verify` against a running system. @returns its output if a check fails */
export async function verifySystem(system: System, folder: string): Promise<string | undefined> {
  const child = new Child({
    name: 'verify',
    command: process.execPath,
    args: [`${ROOT}/apps/cli/bin/fiado.cjs`, 'verify'],
    env: { BASE_URL: system.urlOf('gateway'), OPS_API_KEY: system.opsKey },
    folder,
  });
  return child.finish().then(
    () => undefined,
    (error: unknown) => String(error),
  );
}
