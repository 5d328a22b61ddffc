import { runJest } from '../run-jest';
import { startContainers } from './containers';
import { startInstalled } from './installed';
import type { Started } from './oldest-servers';

/** Debian's packages postgresql-15 and pgbouncer have them there. */
const { POSTGRES_BIN = '/usr/lib/postgresql/15/bin', PGBOUNCER_BIN = '/usr/sbin/pgbouncer' } =
  process.env;

// The containers end with this program, so they need no reaper: one more image, which gets the engine's socket.
process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';

const INSTALLED = '--installed';

/** A test that reaches this file, however, speaks SQL, or uses queues. */
const TEST_DATABASES = 'libs/shared/chassis/src/testing/database.ts';

/**
 * Runs the integration tests that use a database on the servers that differ most from those of
 * `npm test`: on PostgreSQL 15 behind PgBouncer in transaction mode, with queues on Redis. The servers run
 * in containers; with --installed they are programs of this machine. No statements are prepared, because
 * PgBouncer below 1.21, as Debian 12 has it, does not support that. Other arguments go to Jest; those that are no
 * options choose other tests.
 */
async function main(args: string[]): Promise<number> {
  const rest = args.filter((arg) => arg !== INSTALLED);
  // An interrupt while the servers start stops them, too. A second one ends this process at once.
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort()).once('SIGTERM', () => interrupted.abort());
  const started: Started[] = [];
  try {
    const servers = args.includes(INSTALLED)
      ? await startInstalled(started, { postgres: POSTGRES_BIN, pgbouncer: PGBOUNCER_BIN })
      : await startContainers(started, process.env);
    if (interrupted.signal.aborted) return 1;
    const areOptions = rest.every((arg) => arg.startsWith('-'));
    const tests = areOptions ? ['--findRelatedTests', TEST_DATABASES, ...rest] : rest;
    const project = rest.includes('--selectProjects') ? [] : ['--selectProjects', 'integration'];
    return await runJest([...tests, ...project], {
      ...process.env,
      TEST_DATABASE_URL: servers.postgres,
      E2E_DATABASE_URL: servers.postgres,
      TEST_PGBOUNCER_URL: servers.pgbouncer,
      E2E_PGBOUNCER_URL: servers.pgbouncer,
      REDIS_URL: servers.redis,
    });
  } finally {
    for (const server of started.toReversed()) await server.stop();
  }
}

void main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
