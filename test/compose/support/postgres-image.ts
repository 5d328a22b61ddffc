import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const IMAGE = 'postgres:18';
const BUILT = 'fiado-test-postgres:15';
const DOCKERFILE = resolve(__dirname, 'postgres-15.Dockerfile');
const VERSIONS = 'postgres --version; pg_dump --version';

/** An image of Postgres whose pg_dump can read its server: a built one where `postgres:18` cannot. */
export async function postgresImage(): Promise<string> {
  const docker = (...args: string[]) => promisify(execFile)('docker', args);
  const { stdout } = await docker('run', '--rm', '--entrypoint', 'sh', IMAGE, '-c', VERSIONS);
  const [server, client] = [...stdout.matchAll(/PostgreSQL\) (\d+)/g)].map(([, major]) => major);
  if (server === client) return IMAGE;

  const context = resolve(DOCKERFILE, '..');
  const base = `POSTGRES_IMAGE=${IMAGE}`;
  await docker('build', '-q', '-t', BUILT, '--build-arg', base, '-f', DOCKERFILE, context);
  return BUILT;
}
