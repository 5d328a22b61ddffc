import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of this build. */
export function buildVersion(): string {
  const path = join(__dirname, '../package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
