import { resolve } from 'node:path';

import { variablesOf } from '@fiado/shared/chassis/config';
import { SERVICES, type ProcessName, type Service } from '@fiado/shared/contracts/process-names';
import { queuesDatabaseUrl, serviceDatabaseUrl } from '@fiado/shared/chassis/db/roles';

import type { SupervisorConfig } from './config';
import { localUrl } from './local-url';
import { processKeyVariables, type Secrets } from './secrets';
import type { ServiceDefinition } from './services';

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
  const settings: Record<string, string | number | undefined> = {
    ...Object.fromEntries(Object.entries(config)),
    ...secrets,
    DATA_DIR: resolve(config.DATA_DIR),
    // Leads to the database as its owner.
    MIGRATION_DATABASE_URL: undefined,
  };
  const named = variablesOf(service.Config).flatMap((name) =>
    settings[name] === undefined ? [] : [[name, String(settings[name])]],
  );
  return {
    ...inherited,
    ...Object.fromEntries(named),
    ...processKeyVariables(service.name, secrets),
    ...neighbourUrls(config),
    FIADO_MODE: config.FIADO_MODE ?? 'sandbox',
    PUBLIC_URL: publicUrl(config),
    ...(service.hasSchema && {
      DATABASE_URL: serviceDatabaseUrl(databaseUrl, service.name),
      QUEUES_DATABASE_URL: queuesDatabaseUrl(config.MIGRATION_DATABASE_URL ?? databaseUrl),
      ...redisVariables(service.name, config),
    }),
  };
}

/** A migration reads the same configuration, but works as the owner. */
export function migrationEnvironmentOf(
  service: ServiceDefinition,
  installation: Installation,
): NodeJS.ProcessEnv {
  const ownerUrl = installation.config.MIGRATION_DATABASE_URL ?? installation.databaseUrl;
  return { ...environmentOf(service, installation), DATABASE_URL: ownerUrl };
}

/** Base of links: what is configured, else the gateway on this machine. */
function publicUrl(config: SupervisorConfig): string {
  return config.PUBLIC_URL ?? localUrl(config.HOST, config.PORT);
}

/** The queues' place in Redis, by the service's own user where it has one. */
function redisVariables(service: ProcessName, config: SupervisorConfig): Record<string, string> {
  const own = service === 'gateway' ? undefined : config[`${upperCase(service)}_REDIS_URL`];
  const url = own ?? config.REDIS_URL;
  return {
    ...(url === undefined ? {} : { REDIS_URL: url }),
    ...(config.QUEUE_PREFIX === undefined ? {} : { QUEUE_PREFIX: config.QUEUE_PREFIX }),
  };
}

/** Where each service is found: what is configured, else its port on this machine. */
function neighbourUrls(config: SupervisorConfig): Record<string, string> {
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
