import { loadConfigOrExit, loadPartOfConfig, orExit } from './config';
import { migrate } from './db/migrate';
import type { Schema } from './db/schema';
import { createLogger } from './logger';
import { runProcess, runToEnd } from './process';
import type { ServiceDefinition } from './service';
import type { ServiceConfig } from './service-config';
import { startTraced } from './tracing/start-traced';

/** The parts of the main program of a service. */
interface MainProgram<Config extends ServiceConfig, Context> {
  schema: Schema;
  Config: new () => Config;
  /** Loads the service when it serves: a migration needs a fifth of the modules. */
  load: (config: Config) => Promise<ServiceDefinition<Config, Context>>;
  portOf: (config: Config) => number;
}

/** The variables of a migration: no secret but the URLs of the stores, so that its pod needs no other. */
export const MIGRATION_VARIABLES = [
  'FIADO_MODE',
  'LOG_LEVEL',
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'REDIS_URL',
] as const satisfies ReadonlyArray<keyof ServiceConfig>;

/** The main program of a service: `main.js` serves, `main.js migrate` migrates its schema. */
export function runService<Config extends ServiceConfig, Context>(
  program: MainProgram<Config, Context>,
  env: NodeJS.ProcessEnv,
): void {
  if (process.argv[2] === 'migrate') migrateSchema(program, env);
  else serve(program, env);
}

function serve<Config extends ServiceConfig, Context>(
  { schema, Config, load, portOf }: MainProgram<Config, Context>,
  env: NodeJS.ProcessEnv,
): void {
  const config = loadConfigOrExit(Config, env);
  const log = createLogger(schema.name, config.LOG_LEVEL);
  void runProcess({
    log,
    load: () => Promise.all([import('./service.js'), load(config)]),
    start: ([{ startService }, service]) =>
      startTraced(schema.name, config, log, () =>
        startService(service, { config, port: portOf(config), log }),
      ),
  });
}

function migrateSchema(
  { schema, Config }: { schema: Schema; Config: new () => ServiceConfig },
  env: NodeJS.ProcessEnv,
): void {
  const config = orExit(() => loadPartOfConfig(Config, env, MIGRATION_VARIABLES));
  const log = createLogger(schema.name, config.LOG_LEVEL);
  void runToEnd(log, async () => {
    await migrate({
      schema,
      ownerUrl: config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL,
      queuesInPostgres: config.REDIS_URL === undefined,
    });
    log.info('migrated');
  });
}
