import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { makeRoomyFolder } from '@fiado/embedded-postgres/testing/roomy-folder';
import { atEnd } from './at-end';

/** Test processes with a few services each. */
const MAX_CONNECTIONS = 400;

/**
 * One real PostgreSQL for all integration tests; TEST_DATABASE_URL names another to use instead.
 * TEST_DATA_DIR becomes a data folder with a cluster that was made and stopped: a test that starts
 * its own server copies it, which takes a tenth of the time of `initdb`.
 */
export async function startTestDatabase(): Promise<void> {
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  const folder = await makeRoomyFolder('fiado-test-');
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
