import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';

declare global {
  var stopTestDatabase: (() => Promise<void>) | undefined;
}

/** One real PostgreSQL for all integration tests; TEST_DATABASE_URL names another to use instead. */
export default async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-test-'));
  const postgres = new EmbeddedPostgres({ dataDir, durable: false, maxConnections: 400 });
  const { databaseUrl } = await postgres.start();
  process.env.TEST_DATABASE_URL = databaseUrl;
  globalThis.stopTestDatabase = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
