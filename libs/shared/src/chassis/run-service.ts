import { loadConfigOrExit } from './config';
import { migrate } from './db/migrate';
import { createLogger } from './logger';
import { runProcess } from './process';
import { startService, type ServiceDefinition } from './service';
import type { ServiceConfig } from './service-config';

/** The main program of a service: `main.js` serves, `main.js migrate` migrates its schema. */
export function runService<Config extends ServiceConfig, Context>(
  service: ServiceDefinition<Config, Context>,
  Config: new () => Config,
  { env, portOf }: { env: NodeJS.ProcessEnv; portOf: (config: Config) => number },
): void {
  const config = loadConfigOrExit(Config, env);
  const log = createLogger(service.name, config.LOG_LEVEL);
  void runProcess({
    log,
    start: () => startService(service, { config, port: portOf(config), log }),
    migrate: () =>
      migrate({
        schema: service.schema,
        ownerUrl: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
        queuesInPostgres: config.REDIS_URL === undefined,
      }),
  });
}
