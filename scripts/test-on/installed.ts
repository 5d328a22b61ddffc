import { startPgbouncer } from '@fiado/embedded-postgres/testing/pgbouncer';
import { startPostgres15 } from './postgres-15';
import { startRedis } from './redis';
import type { OldestServers, Started } from './oldest-servers';

/**
 * Starts the servers that are installed on this machine.
 * @param started gets each as soon as it must be stopped, also when the next one fails
 * @param binaries the folder of PostgreSQL 15's programs, and the path of `pgbouncer`
 * @throws Error when one is missing or does not start
 */
export async function startInstalled(
  started: Started[],
  binaries: { postgres: string; pgbouncer: string },
): Promise<OldestServers> {
  const redis = await startRedis();
  started.push(redis);
  const postgres = await startPostgres15(binaries.postgres);
  started.push(postgres);
  const pooler = await startPgbouncer(binaries.pgbouncer, postgres.url);
  started.push(pooler);
  return { postgres: postgres.url, pgbouncer: pooler.url, redis: redis.url };
}
