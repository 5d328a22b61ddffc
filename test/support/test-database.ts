import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { atEnd } from './at-end';

/** Test processes with a few services each. */
const MAX_CONNECTIONS = 400;

/** A file system in memory: to make and delete hundreds of databases there takes half the CPU time. */
const MEMORY_FOLDER = '/dev/shm';
/** The log of the server has up to 1 GB, and each test file that runs has a few databases of 12 MB. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * One real PostgreSQL for all integration tests; TEST_DATABASE_URL names another to use instead.
 * TEST_DATA_DIR becomes a data folder with a cluster that was made and stopped: a test that starts
 * its own server copies it, which takes a tenth of the time of `initdb`.
 */
export async function startTestDatabase(): Promise<void> {
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  const folder = await mkdtemp(join(await roomyFolder(), 'fiado-test-'));
  // The server's user must be able to enter it; otherwise the cluster would be kept elsewhere.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'server');
  const postgres = new EmbeddedPostgres({
    dataDir,
    durable: false,
    maxConnections: MAX_CONNECTIONS,
  });
  atEnd(async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await postgres.start();
  await postgres.stop();
  const copy = join(folder, 'copy');
  execFileSync('cp', ['-a', dataDir, copy]);
  const { databaseUrl } = await postgres.start();
  process.env.TEST_DATABASE_URL = databaseUrl;
  process.env.TEST_DATA_DIR = copy;
}

/** The folder in memory, if it has room for the databases. Containers often have 64 MB there. */
async function roomyFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= NEEDED_BYTES ? MEMORY_FOLDER : tmpdir();
}
