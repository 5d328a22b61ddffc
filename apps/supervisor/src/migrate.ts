import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { EXIT_BAD_CONFIG } from '@fiado/shared/chassis/config';

import { migrationEnvironmentOf, type House } from './service-environment';
import { SERVICES, type ServiceDefinition } from './services';
import { StartupError } from './startup-error';

/** A migration of a large table may take long; one that waits for a lock must not take for ever. */
const MIGRATION_TIMEOUT_MS = 300_000;

/**
 * Brings every schema up to date. All at once: each takes the house's migration lock for the part
 * that must be alone, so what runs side by side is the loading of four programs.
 */
export async function migrateAll(
  house: House,
  scriptOf: (service: string) => string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  // All must have ended, also after a failure, before the database may be stopped.
  const results = await Promise.allSettled(
    SERVICES.filter(({ hasSchema }) => hasSchema).map((service) =>
      migrateOne(service, house, scriptOf(service.name), signal),
    ),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function migrateOne(
  service: ServiceDefinition,
  house: House,
  script: string,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [script, 'migrate'], {
    env: migrationEnvironmentOf(service, house),
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: MIGRATION_TIMEOUT_MS,
  });
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
