import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { EXIT_BAD_CONFIG } from '@fiado/chassis/config';
import { StartupError } from './say';
import { migrationEnvironmentOf, type Installation } from './service-environment';
import type { ServiceOutput } from './service-output';
import { SERVICES, type ServiceDefinition } from './services';

/** A migration of a large table may take long; one that waits for a lock must not take for ever. */
const MIGRATION_TIMEOUT_MS = 300_000;

export interface Migration {
  installation: Installation;
  scriptOf: (service: string) => string;
  output: ServiceOutput;
}

/**
 * Brings every schema up to date. All run in parallel: each takes the system-wide migration lock
 * for the part that must be alone, so what runs side by side is the loading of four programs.
 */
export async function migrateAll(
  { installation, scriptOf, output }: Migration,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  // All must have ended, also after a failure, before the database may be stopped.
  const results = await Promise.allSettled(
    SERVICES.filter(({ hasSchema }) => hasSchema).map((service) =>
      migrateOne(service, { installation, scriptOf, output }, signal),
    ),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function migrateOne(
  service: ServiceDefinition,
  { installation, scriptOf, output }: Migration,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [scriptOf(service.name), 'migrate'], {
    env: migrationEnvironmentOf(service, installation),
    stdio: ['ignore', output.stdio, output.stdio],
    timeout: MIGRATION_TIMEOUT_MS,
  });
  output.follow(service.name, child);
  const cancel = () => child.kill('SIGTERM');
  signal.addEventListener('abort', cancel, { once: true });
  const [code, endedBy] = (await once(child, 'exit')) as [number | null, string | null];
  signal.removeEventListener('abort', cancel);

  if (code === 0) return;
  throw new StartupError(
    `the migration of ${service.name} failed (${endedBy ?? `exit code ${code}`}): see above`,
    code === EXIT_BAD_CONFIG ? EXIT_BAD_CONFIG : 1,
  );
}
