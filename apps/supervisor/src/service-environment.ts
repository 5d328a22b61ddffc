import { resolve } from 'node:path';
import { variablesOf } from '@fiado/chassis/config';
import { queuesDatabaseUrl, serviceDatabaseUrl } from '@fiado/chassis/db/roles';
import { ConsoleConfig } from '@fiado/console/config';
import { SERVICES, type ProcessName, type Service } from '@fiado/contracts/process-names';
import type { SupervisorConfig } from './config';
import { processKeyVariables, type Secrets } from './secrets';
import type { ServiceDefinition } from './services';

/** Variables that a child inherits unchanged: those of Node and its TLS, and none of Fiado. */
const INHERITED = `PATH HOME TMPDIR TZ LANG LC_ALL NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS
  SSL_CERT_FILE SSL_CERT_DIR`.split(/\s+/);

/** Configuration and secrets from which the environments of all processes are made. */
export interface Installation<Config extends SupervisorConfig = SupervisorConfig> {
  config: Config;
  secrets: Secrets;
  /** The owner's. Only migrations get it. */
  databaseUrl: string;
  inherited: Record<string, string>;
}

/** The environment of a process: the variables of its configuration class, and nothing else of ours. */
export function environmentOf(
  service: ServiceDefinition,
  installation: Installation,
): NodeJS.ProcessEnv {
  const { config, secrets, databaseUrl, inherited } = installation;
  const { READ_DATABASE_URL: replica } = config;
  const settings = {
    ...Object.fromEntries(Object.entries(config)),
    ...secrets,
    DATA_DIR: resolve(config.DATA_DIR),
    CONSOLE_URL: consoleUrl(config),
    READ_DATABASE_URL: replica && serviceDatabaseUrl(replica, service.name),
    // Leads to the database as its owner.
    MIGRATION_DATABASE_URL: undefined,
  };
  return {
    ...inherited,
    ...namedIn(service.Config, settings),
    ...processKeyVariables(service.name, installation),
    ...serviceUrls(config),
    FIADO_MODE: config.FIADO_MODE ?? 'sandbox',
    PUBLIC_URL: publicUrl(config),
    ...(service.hasSchema && {
      DATABASE_URL: serviceDatabaseUrl(databaseUrl, service.name),
      QUEUES_DATABASE_URL: queuesDatabaseUrl(config.MIGRATION_DATABASE_URL ?? databaseUrl),
      REDIS_URL: redisUrlOf(service.name, config),
      QUEUE_PREFIX: config.QUEUE_PREFIX,
    }),
  };
}

/** The environment of the console: it is a client of the gateway, and gets no secret. */
export function consoleEnvironmentOf({ config, inherited }: Installation): NodeJS.ProcessEnv {
  const settings = {
    ...Object.fromEntries(Object.entries(config)),
    FIADO_MODE: config.FIADO_MODE ?? 'sandbox',
    CONSOLE_URL: consoleUrl(config),
    GATEWAY_URL: config.GATEWAY_URL ?? localUrl(config.HOST, config.PORT),
  };
  return { ...inherited, ...namedIn(ConsoleConfig, settings) };
}

/** Address of the console: the configured one, else its port on this machine. */
export function consoleUrl(config: SupervisorConfig): string {
  // By name: browsers have passkeys for localhost and not for 127.0.0.1.
  return config.CONSOLE_URL ?? `http://localhost:${config.CONSOLE_PORT}`;
}

/** A migration works as the owner, and gets no secret but the URLs of the stores. */
export function migrationEnvironmentOf(installation: Installation): NodeJS.ProcessEnv {
  const { config, databaseUrl, inherited } = installation;
  const { LOG_LEVEL, MIGRATION_DATABASE_URL } = config;
  return {
    ...inherited,
    DATABASE_URL: MIGRATION_DATABASE_URL ?? databaseUrl,
    LOG_LEVEL,
    // All queues are in one place.
    REDIS_URL: redisUrlOf('accounts', config),
  };
}

/** The settings that a configuration class names, as the environment holds them. */
function namedIn(Config: new () => object, settings: object): Record<string, string> {
  const values = new Map<string, unknown>(Object.entries(settings));
  return Object.fromEntries(
    variablesOf(Config).flatMap((name) =>
      values.get(name) === undefined ? [] : [[name, String(values.get(name))]],
    ),
  );
}

/** Base of links: the configured one, else the gateway on this machine. */
function publicUrl(config: SupervisorConfig): string {
  return config.PUBLIC_URL ?? localUrl(config.HOST, config.PORT);
}

/** The queues' place in Redis, by the service's own user where it has one. */
function redisUrlOf(service: ProcessName, config: SupervisorConfig): string | undefined {
  const own = service === 'gateway' ? undefined : config[`${upperCase(service)}_REDIS_URL`];
  return own ?? config.REDIS_URL;
}

/** Address of each service: the configured one, else its port on this machine. */
function serviceUrls(config: SupervisorConfig): Record<string, string> {
  const urls = SERVICES.map((service) => {
    const name = upperCase(service);
    const local = localUrl(config.INTERNAL_HOST, config[`${name}_PORT`]);
    return [`${name}_URL`, config[`${name}_URL`] ?? local];
  });
  return Object.fromEntries(urls);
}

function upperCase(service: Service): Uppercase<Service> {
  return service.toUpperCase() as Uppercase<Service>;
}

/** The variables of our environment that children get unchanged. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

/** Base URL of a process of ours, as it is reached from this machine. */
export function localUrl(host: string, port: number): string {
  // The wildcard addresses are for listening; Node and curl reach them through the loopback.
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
