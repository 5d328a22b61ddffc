import { systemClock, type Clock } from '@fiado/contracts/clock';
import { Database } from './db/database';
import { isUpToDate } from './db/is-up-to-date';
import { checkKeyFingerprints } from './db/key-fingerprints';
import { requireRoleLimits } from './db/role-limits';
import { queuesDatabaseUrl } from './db/roles';
import { InternalTokens } from './internal-token';
import { Queues } from './jobs/queues';
import { noDataKeys, openDataKeys } from './keys/open-data-keys';
import type { Logger } from './logger';
import { recordBuild } from './metrics';
import { createRelay } from './outbox/relay';
import { processKeysOf } from './process-keys';
import { watchPool } from './queue-metrics';
import type { Foundation, ServiceDefinition } from './service';
import type { ServiceConfig } from './service-config';
import { TIMING, type Timing } from './timing';

/**
 * Opens what every service works with: database, keys and queues.
 * @throws Error when the schema is older than this build or a secret differs
 */
export async function layFoundation<Config extends ServiceConfig, Context>(
  definition: ServiceDefinition<Config, Context>,
  {
    config,
    log,
    clock = systemClock,
    timing = TIMING,
  }: { config: Config; log: Logger; clock?: Clock; timing?: Timing },
): Promise<Foundation<Config>> {
  const keys = processKeysOf(definition.name, config);
  const connection = {
    url: config.DATABASE_URL,
    poolSize: config.POOL_SIZE,
    preparedStatements: config.PREPARED_STATEMENTS === 'on',
  };
  const db = Database.open(definition.schema.name, connection, (error) =>
    log.warn({ reason: error.message }, 'database connection lost'),
  );
  recordBuild(definition.schema.name);
  watchPool(definition.schema.name, db.connection);
  if (!(await isUpToDate(db.connection, definition.schema))) {
    throw new Error(`The schema ${definition.schema.name} is older than this build: run migrate`);
  }
  await requireRoleLimits(db, definition.schema.name);
  await checkKeyFingerprints(db, definition.secrets?.(config) ?? {});
  await definition.checkStart?.(db, config);
  const { sealing } = definition;
  const dataKeys =
    sealing === undefined
      ? noDataKeys
      : await openDataKeys({ db, log, tables: sealing.tables }, sealing.secret(config));

  const queues = new Queues({
    redisUrl: config.REDIS_URL,
    queuesDatabaseUrl:
      config.QUEUES_DATABASE_URL ??
      queuesDatabaseUrl(config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL),
    prefix: config.QUEUE_PREFIX,
    keys,
    log,
  });
  return {
    config,
    db,
    queues,
    relay: createRelay(db, queues, log, definition.events?.(config)),
    keys,
    dataKeys,
    tokens: new InternalTokens(keys),
    clock,
    timing,
    log,
  };
}
