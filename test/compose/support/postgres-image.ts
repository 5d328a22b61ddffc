import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { IMAGES } from '../../../scripts/test-on/images';

const IMAGE = 'postgres:18';
const VERSIONS = 'postgres --version; pg_dump --version';

/** An image of Postgres whose pg_dump can read its server: that of PostgreSQL 15 where `postgres:18` cannot. */
export async function postgresImage(): Promise<string> {
  const command = ['run', '--rm', '--entrypoint', 'sh', IMAGE, '-c', VERSIONS];
  const { stdout } = await promisify(execFile)('docker', command);
  const [server, client] = [...stdout.matchAll(/PostgreSQL\) (\d+)/g)].map(([, major]) => major);
  return server === client ? IMAGE : IMAGES.postgres;
}
