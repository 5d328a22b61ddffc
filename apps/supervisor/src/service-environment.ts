import { resolve } from 'node:path';

import { queuesDatabaseUrl, serviceDatabaseUrl } from '@fiado/shared/chassis/db/roles';

import { localUrl, type SupervisorConfig } from './config';
import type { Secrets } from './secrets';
import { COMMON_VARIABLES, type ServiceDefinition } from './services';

/** What the environments of all processes are made of. */
export interface House {
  config: SupervisorConfig;
  secrets: Secrets;
  /** The owner's. Only migrations get it. */
  databaseUrl: string;
  inherited: Record<string, string>;
}

/** The environment of a process: what its row in the table names, and nothing else of ours. */
export function environmentOf(service: ServiceDefinition, house: House): NodeJS.ProcessEnv {
  const { config, secrets, databaseUrl, inherited } = house;
  const settings = Object.assign({}, config, secrets, { DATA_DIR: resolve(config.DATA_DIR) });
  const named = [...COMMON_VARIABLES, ...service.own, service.portVariable].flatMap((name) =>
    settings[name] === undefined ? [] : [[name, String(settings[name])]],
  );
  return {
    ...inherited,
    ...Object.fromEntries(named),
    ...neighbourUrls(config),
    FIADO_MODE: config.FIADO_MODE ?? 'sandbox',
    PUBLIC_URL: publicUrl(config),
    ...(service.hasSchema && {
      DATABASE_URL: serviceDatabaseUrl(databaseUrl, service.name),
      QUEUES_DATABASE_URL: queuesDatabaseUrl(databaseUrl),
    }),
  };
}

/** A migration reads the same configuration, but works as the owner. */
export function migrationEnvironmentOf(
  service: ServiceDefinition,
  house: House,
): NodeJS.ProcessEnv {
  return { ...environmentOf(service, house), DATABASE_URL: house.databaseUrl };
}

/** Base of links: what is configured, else the gateway on this machine. */
export function publicUrl(config: SupervisorConfig): string {
  return config.PUBLIC_URL ?? localUrl(config.HOST, config.PORT);
}

/** Where each service is found: what is configured, else its port on this machine. */
function neighbourUrls(config: SupervisorConfig): Record<string, string> {
  const { HOST, ACCOUNTS_PORT, TRANSACTIONS_PORT, PAYMENTS_PORT, NOTIFIER_PORT } = config;
  return {
    ACCOUNTS_URL: config.ACCOUNTS_URL ?? localUrl(HOST, ACCOUNTS_PORT),
    TRANSACTIONS_URL: config.TRANSACTIONS_URL ?? localUrl(HOST, TRANSACTIONS_PORT),
    PAYMENTS_URL: config.PAYMENTS_URL ?? localUrl(HOST, PAYMENTS_PORT),
    NOTIFIER_URL: config.NOTIFIER_URL ?? localUrl(HOST, NOTIFIER_PORT),
  };
}
