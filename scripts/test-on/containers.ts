import { randomBytes } from 'node:crypto';
import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { RedisContainer } from '@testcontainers/redis';
import {
  GenericContainer,
  getContainerRuntimeClient,
  Network,
  type StartedNetwork,
} from 'testcontainers';
import { pgbouncerFiles } from '@fiado/embedded-postgres/testing/pgbouncer';
import { SETTINGS } from './postgres-15';
import { redisPassword } from './redis';
import { IMAGES } from './images';
import type { OldestServers, Started } from './oldest-servers';

/** What the containers call PostgreSQL on their network. */
const POSTGRES_ALIAS = 'postgres';
/** PostgreSQL and PgBouncer listen on it, each in its container. */
const PORT = 5432;
const PGBOUNCER_FOLDER = '/etc/pgbouncer';
/** Docker's 64 MB are too few for the parallel workers of reports. */
const SHARED_MEMORY_BYTES = 256 * 1024 * 1024;
const NO_ENGINE =
  'No Docker engine answers: start one, or run `npm run test:oldest` with PostgreSQL 15, PgBouncer and Redis installed.';

/**
 * Starts the servers in containers, on ports of this machine that are free.
 * @param started gets each as soon as it must be stopped, also when the next one fails
 * @param env of the tests, which may run on another day
 * @throws Error when no engine answers, an image is missing, or a server does not start
 */
export async function startContainers(
  started: Started[],
  env: NodeJS.ProcessEnv,
): Promise<OldestServers> {
  await getContainerRuntimeClient().catch((error: unknown) => {
    throw new Error(NO_ENGINE, { cause: error });
  });
  const start = async <T extends Started>(name: string, what: { start(): Promise<T> }) => {
    const running = await what.start().catch((error: Error) => {
      throw new Error(`${name} did not start: ${error.message}`, { cause: error });
    });
    started.push(running);
    return running;
  };
  const network = await start('A network', new Network());
  const redis = await start(
    IMAGES.redis,
    new RedisContainer(IMAGES.redis)
      .withCommand(['redis-server', '--save', ''])
      .withPassword(redisPassword()),
  );
  const postgres = await start(IMAGES.postgres, postgresContainer(network, env));
  const inside = new URL(postgres.getConnectionUri());
  inside.host = `${POSTGRES_ALIAS}:${PORT}`;
  const place = { address: '0.0.0.0', port: String(PORT), folder: PGBOUNCER_FOLDER };
  const files = Object.entries(pgbouncerFiles(inside.toString(), place));
  const pgbouncer = await start(
    IMAGES.pgbouncer,
    new GenericContainer(IMAGES.pgbouncer)
      .withNetwork(network)
      .withExposedPorts(PORT)
      .withCopyContentToContainer(
        files.map(([name, content]) => ({ content, target: `${PGBOUNCER_FOLDER}/${name}` })),
      ),
  );
  const behind = new URL(postgres.getConnectionUri());
  behind.host = `${pgbouncer.getHost()}:${pgbouncer.getMappedPort(PORT)}`;
  return {
    postgres: postgres.getConnectionUri(),
    pgbouncer: behind.toString(),
    redis: redis.getConnectionUrl(),
  };
}

function postgresContainer(network: StartedNetwork, env: NodeJS.ProcessEnv) {
  const day = anotherDay(env);
  return (
    new PostgreSqlContainer(IMAGES.postgres)
      .withNetwork(network)
      .withNetworkAliases(POSTGRES_ALIAS)
      .withDatabase('postgres')
      .withUsername('fiado')
      .withPassword(randomBytes(24).toString('base64url'))
      // The order of texts is the same on every server of the tests.
      .withEnvironment({
        POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C.UTF-8',
        ...day.variables,
      })
      .withCopyFilesToContainer(day.files)
      .withSharedMemorySize(SHARED_MEMORY_BYTES)
      .withCommand([
        'postgres',
        ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ])
  );
}

/** For PostgreSQL, where `npm run test:dates` runs the tests on another day. */
function anotherDay({ TEST_SECONDS_AHEAD, TEST_TIME_AHEAD_LIBRARY: source }: NodeJS.ProcessEnv) {
  if (TEST_SECONDS_AHEAD === undefined || source === undefined) return { variables: {}, files: [] };
  const target = '/usr/local/lib/time-ahead.so';
  return { variables: { TEST_SECONDS_AHEAD, LD_PRELOAD: target }, files: [{ source, target }] };
}
