import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { StartupError } from './say';
import type { ServiceOutput } from './service-output';

/** A migration of a large table may take long; one that waits for a lock must not take for ever. */
const MIGRATION_TIMEOUT_MS = 300_000;

export interface Migration {
  /** Path of the program `migrate-schemas`. */
  script: string;
  /** As the program takes it: DATABASE_URL is the owner's. */
  env: NodeJS.ProcessEnv;
  output: ServiceOutput;
}

/**
 * Brings every schema up to date.
 * @throws StartupError when one of them could not be; the others may have been
 */
export async function migrateAll(
  { script, env, output }: Migration,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [script], {
    env,
    stdio: ['ignore', output.stdio, output.stdio],
    timeout: MIGRATION_TIMEOUT_MS,
  });
  output.follow('migrate', child);
  const cancel = () => child.kill('SIGTERM');
  signal.addEventListener('abort', cancel, { once: true });
  // It must have ended, also after a signal, before the database may be stopped.
  const [code, endedBy] = (await once(child, 'exit')) as [number | null, string | null];
  signal.removeEventListener('abort', cancel);
  if (code !== 0) {
    throw new StartupError(`the migration failed (${endedBy ?? `exit code ${code}`}): see above`);
  }
}
