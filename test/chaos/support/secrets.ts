import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { System } from '../../e2e/support/system';

type Secrets = Record<string, string> & { ENCRYPTION_KEY: string };

/** The secrets that the supervisor made at its first start. */
export async function secretsOf({ dataDir }: Pick<System, 'dataDir'>): Promise<Secrets> {
  return JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Secrets;
}
