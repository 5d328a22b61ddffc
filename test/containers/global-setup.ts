import { execFileSync } from 'node:child_process';
import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { RedisContainer } from '@testcontainers/redis';

const POSTGRES_IMAGE = process.env.POSTGRES_IMAGE ?? 'postgres:18';
const REDIS_IMAGE = process.env.REDIS_IMAGE ?? 'redis:8';

/** Two test processes with a few services each, and a house of four beside them. */
const MAX_CONNECTIONS = '400';

/** One Postgres and one Redis in containers for all suites, in place of what is embedded. */
export default async function startContainers(): Promise<() => Promise<void>> {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 });
  } catch {
    throw new Error('No Docker engine answers: the tests in containers cannot run here');
  }
  const postgres = await new PostgreSqlContainer(POSTGRES_IMAGE)
    .withCommand(['postgres', '-c', `max_connections=${MAX_CONNECTIONS}`, '-c', 'fsync=off'])
    .start();
  const redis = await new RedisContainer(REDIS_IMAGE).start().catch(async (error: unknown) => {
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
