import { rm } from 'node:fs/promises';
import { EmbeddedPostgres } from '../embedded-postgres';
import { makeRoomyFolder } from './roomy-folder';
import type { Server } from './server';

export interface TemporaryPostgres extends Server {
  /** What the server keeps, its log among it. */
  folder: string;
}

/** Starts a server that does not care for its data. Its folder goes when it stops. */
export async function startTemporaryPostgres(
  options: { maxConnections?: number } = {},
): Promise<TemporaryPostgres> {
  const folder = await makeRoomyFolder('fiado-postgres-');
  const postgres = new EmbeddedPostgres({ dataDir: folder, durable: false, ...options });
  const { databaseUrl: url } = await postgres.start();
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url, folder, stop };
}
