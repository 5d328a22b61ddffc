import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { startSystem, type System } from '../../e2e/support/system';

/** All of Fiado on a database that the test can look into. */
export interface House {
  system: System;
  databaseUrl: string;
  dispose(): Promise<void>;
}

export async function startHouse(env: Record<string, string> = {}): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-contract-'));
  const postgres = new EmbeddedPostgres({ dataDir, durable: false });
  const { databaseUrl } = await postgres.start();
  const system = await startSystem({ env: { DATABASE_URL: databaseUrl, ...env } });
  return {
    system,
    databaseUrl,
    dispose: async () => {
      await system.dispose();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
