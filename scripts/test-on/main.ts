import { runJest } from '../run-jest';
import { startPgbouncer } from '@fiado/embedded-postgres/testing/pgbouncer';
import { startPostgres15 } from './postgres-15';
import { startRedis } from './redis';
import { MAX_CONNECTIONS, type Server } from '@fiado/embedded-postgres/testing/server';
import { startTemporaryPostgres } from '@fiado/embedded-postgres/testing/temporary-postgres';

/** Debian's packages postgresql-15 and pgbouncer have them there. */
const {
  POSTGRES_BIN: binaries = '/usr/lib/postgresql/15/bin',
  PGBOUNCER_BIN: pgbouncer = '/usr/sbin/pgbouncer',
} = process.env;

/** A test that reaches this file, however, speaks SQL, or uses queues. */
const TEST_DATABASES = 'libs/shared/chassis/src/testing/database.ts';

/**
 * Runs the integration tests that use a database on other servers than usual: on PostgreSQL 15 with --postgres-15, behind PgBouncer in transaction mode with --pgbouncer, with queues
 * on Redis with --redis. Without prepared statements behind PgBouncer, because Debian 12 has 1.18,
 * which does not support them. Other arguments go to Jest, and choose other tests.
 */
async function main(args: string[]): Promise<number> {
  const options = new Set(['--postgres-15', '--pgbouncer', '--redis']);
  const started: Server[] = [];
  try {
    const postgres = await (args.includes('--postgres-15')
      ? startPostgres15(binaries)
      : startTemporaryPostgres({ maxConnections: MAX_CONNECTIONS }));
    started.push(postgres);
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      TEST_DATABASE_URL: postgres.url,
      E2E_DATABASE_URL: postgres.url,
    };
    if (args.includes('--pgbouncer')) {
      const pooler = await startPgbouncer(pgbouncer, postgres.url);
      started.push(pooler);
      env.TEST_PGBOUNCER_URL = pooler.url;
      env.E2E_PGBOUNCER_URL = pooler.url;
    }
    if (args.includes('--redis')) {
      const redis = await startRedis();
      started.push(redis);
      env.REDIS_URL = redis.url;
    }
    const rest = args.filter((arg) => !options.has(arg));
    const tests = rest.length === 0 ? ['--findRelatedTests', TEST_DATABASES] : rest;
    const project = rest.includes('--selectProjects') ? [] : ['--selectProjects', 'integration'];
    return await runJest([...tests, ...project], env);
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
