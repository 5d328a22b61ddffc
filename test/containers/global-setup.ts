import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { RedisContainer } from '@testcontainers/redis';

const POSTGRES_IMAGE = process.env.POSTGRES_IMAGE ?? 'postgres:18';
const REDIS_IMAGE = process.env.REDIS_IMAGE ?? 'redis:8';

/** Three test processes with a few services each, and a whole system beside them. */
const MAX_CONNECTIONS = '400';
const PASSWORD_BYTES = 24;

/** The default of Testcontainers asks four times a second for as long as the suites run. */
const HEALTH_CHECK = {
  test: ['CMD', 'pg_isready', '--host', 'localhost'] satisfies ['CMD', ...string[]],
  interval: 2_000,
  timeout: 10_000,
  retries: 60,
};

/**
 * One Postgres and one Redis in containers for all suites, instead of the embedded ones. The first
 * project starts and stops them.
 */
export default async function startContainers(): Promise<() => Promise<void>> {
  if (process.env.E2E_DATABASE_URL !== undefined) return async () => {};
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 });
  } catch {
    throw new Error('No Docker engine answers: the tests in containers cannot run here');
  }
  const postgres = await new PostgreSqlContainer(POSTGRES_IMAGE)
    // Production refuses one that is easy to guess, in tests too.
    .withPassword(randomBytes(PASSWORD_BYTES).toString('hex'))
    .withCommand(['postgres', '-c', `max_connections=${MAX_CONNECTIONS}`, '-c', 'fsync=off'])
    .withHealthCheck(HEALTH_CHECK)
    .start();
  const redis = await new RedisContainer(REDIS_IMAGE)
    .withPassword(randomBytes(PASSWORD_BYTES).toString('hex'))
    .start()
    .catch(async (error: unknown) => {
      await postgres.stop();
      throw error;
    });
  process.env.TEST_DATABASE_URL = postgres.getConnectionUri();
  process.env.E2E_DATABASE_URL = postgres.getConnectionUri();
  process.env.REDIS_URL = redis.getConnectionUrl();
  // Stopped here and not by the reaper of Testcontainers, whose image is not available everywhere.
  return async () => {
    await redis.stop();
    await postgres.stop();
  };
}
