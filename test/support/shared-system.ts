import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import type { TestProject } from 'vitest/node';
import { createSystemDatabase } from '../e2e/support/database';
import { startSystem } from '../e2e/support/system';

/** Starts the system that the end-to-end tests share. */
export default function sharedSystem(project: TestProject): Promise<() => Promise<void>> {
  return provideSystem(project);
}

/**
 * Starts the system that the tests of a project share, on a database that they can look into.
 * @param env variables of its processes
 * @returns stops it
 */
export async function provideSystem(
  project: TestProject,
  env: Record<string, string> = {},
): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-shared-'));
  const outputFile = join(dataDir, 'output.log');
  writeFileSync(outputFile, '');

  const postgres = new EmbeddedPostgres({ dataDir, durable: false });
  const database = await createSystemDatabase();
  const databaseUrl = database?.url ?? (await postgres.start()).databaseUrl;
  const system = await startSystem({
    env: {
      FIADO_MODE: 'sandbox',
      DATABASE_URL: databaseUrl,
      ...database?.env,
      LOG_LEVEL: 'info',
      ...env,
    },
  });
  appendFileSync(outputFile, system.output());
  for (const stream of [system.supervisor.stdout, system.supervisor.stderr]) {
    stream?.on('data', (chunk: Buffer) => appendFileSync(outputFile, chunk));
  }

  const { ports, consoleUrl, supervisorPid, opsKey } = system;
  project.provide('sharedSystem', {
    dataDir: system.dataDir,
    ports,
    consoleUrl,
    supervisorPid,
    opsKey,
    databaseUrl,
    outputFile,
  });
  return async () => {
    await system.dispose();
    if (database === undefined) await postgres.stop();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
