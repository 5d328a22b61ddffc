import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../embedded-postgres';
import type { Server } from './server';

export interface TemporaryPostgres extends Server {
  /** What the server keeps, its log among it. */
  folder: string;
}

/** Starts a server that does not care for its data. Its folder goes when it stops. */
export async function startTemporaryPostgres(
  options: { maxConnections?: number } = {},
): Promise<TemporaryPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'fiado-postgres-'));
  // The server's user must be able to enter it; otherwise the cluster would be kept elsewhere.
  await chmod(folder, 0o711);
  const postgres = new EmbeddedPostgres({ dataDir: folder, durable: false, ...options });
  const { databaseUrl: url } = await postgres.start();
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url, folder, stop };
}
