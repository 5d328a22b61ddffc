import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';

import { loadConfigOrExit } from '@fiado/chassis/config';

import { inheritedEnvironment } from '../inherited-environment';
import { migrateAll } from '../migrate';
import { RAW_OUTPUT } from '../output/service-output';
import { say } from '../say';
import { loadSecrets } from '../secrets';
import type { Installation } from '../service-environment';
import { messageOf, StartupError } from '../startup-error';
import { ContainersConfig, withStores } from './config';
import { createMetricsRole } from './metrics-role';
import { showDemo } from './show-demo';
import { keepMode, writeSettings } from './write-settings';

const SERVICES_DIR = resolve(__dirname, '../../../../services');
const SETTINGS_DIR = '/settings';

/** The gateway's name on the network of the containers. */
const GATEWAY_HOST = 'gateway';

/**
 * One step of a start in containers, named by the argument: `settings` checks the configuration,
 * makes what secrets a sandbox misses and hands each service its own; `migrate` brings the schemas
 * up to date; `demo` creates the demo data and prints what to do next.
 */
async function main(step: string | undefined): Promise<void> {
  const env = step === 'settings' ? await withSettingsFile(process.env) : process.env;
  const config = loadConfigOrExit(ContainersConfig, withStores(env));
  if (step === 'settings') await keepMode(config.FIADO_MODE, SETTINGS_DIR);
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const dataDir = resolve(config.DATA_DIR);
  const installation: Installation<ContainersConfig> = {
    config,
    secrets: await loadSecrets(config, dataDir),
    databaseUrl: config.DATABASE_URL ?? '',
    inherited: {},
  };

  if (step === 'settings') {
    await writeSettings(installation, SETTINGS_DIR);
    say(`each service has its settings (${config.FIADO_MODE})`);
  } else if (step === 'migrate') {
    const inherited = inheritedEnvironment(process.env);
    const scriptOf = (service: string) => resolve(SERVICES_DIR, service, 'dist/main.js');
    await migrateAll(
      { installation: { ...installation, inherited }, scriptOf, output: RAW_OUTPUT },
      stop.signal,
    );
    await createMetricsRole(config.MIGRATION_DATABASE_URL ?? installation.databaseUrl);
  } else if (step === 'demo') {
    const baseUrl = `http://${GATEWAY_HOST}:${config.PORT}`;
    await showDemo({ installation, baseUrl, dataDir, say }, stop.signal);
  } else {
    throw new StartupError('name a step: settings, migrate or demo');
  }
}

/**
 * The environment, and under it what docker/read-settings.sh hands over: production.env, or
 * nothing.
 */
async function withSettingsFile(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const given = Object.entries(env).filter(([, value]) => value !== '');
  return { ...parseEnv(await text(process.stdin)), ...Object.fromEntries(given) };
}

main(process.argv[2]).catch((error: unknown) => {
  say(messageOf(error));
  process.exit(error instanceof StartupError ? error.exitCode : 1);
});
