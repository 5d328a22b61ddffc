import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTemporaryPostgres } from '@fiado/embedded-postgres/testing/temporary-postgres';
import { createSystemDatabase } from '../e2e/support/database';
import type { SharedSystemAddress } from '../e2e/support/shared-system';
import { startSystem } from '../e2e/support/system';
import { atEnd } from './at-end';

/** Of this system and some that have a database beside it: each opens up to a hundred. */
const MAX_CONNECTIONS = 500;

/**
 * Starts the system that the end-to-end tests of a run share, on a database that they can look into.
 * They find it by the variable SHARED_SYSTEM.
 * @param env variables of its processes
 */
export async function startSharedSystem(env: Record<string, string> = {}): Promise<void> {
  if (process.env.SHARED_SYSTEM !== undefined) {
    throw new Error('The attacks need another system than the end-to-end tests: run them apart');
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-shared-'));
  const outputFile = join(dataDir, 'output.log');
  writeFileSync(outputFile, '');

  const database =
    (await createSystemDatabase()) ??
    (await startTemporaryPostgres({ maxConnections: MAX_CONNECTIONS }));
  atEnd(async () => {
    await ('drop' in database ? database.drop() : database.stop());
    await rm(dataDir, { recursive: true, force: true });
  });
  const system = await startSystem({
    env: {
      FIADO_MODE: 'sandbox',
      DATABASE_URL: database.url,
      ...('env' in database && database.env),
      LOG_LEVEL: 'info',
      ...env,
    },
  });
  atEnd(() => system.dispose());
  appendFileSync(outputFile, system.output());
  for (const stream of [system.supervisor.stdout, system.supervisor.stderr]) {
    stream?.on('data', (chunk: Buffer) => appendFileSync(outputFile, chunk));
  }

  const { ports, consoleUrl, supervisorPid, opsKey } = system;
  const address: SharedSystemAddress = {
    dataDir: system.dataDir,
    ports,
    consoleUrl,
    supervisorPid,
    opsKey,
    databaseUrl: database.url,
    outputFile,
  };
  process.env.SHARED_SYSTEM = JSON.stringify(address);
}
