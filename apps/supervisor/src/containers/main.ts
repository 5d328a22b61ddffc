import { resolve } from 'node:path';

import { loadConfigOrExit } from '@fiado/shared/chassis/config';

import { inheritedEnvironment } from '../config';
import { migrateAll } from '../migrate';
import { say } from '../say';
import { loadSecrets } from '../secrets';
import type { House } from '../service-environment';
import { messageOf, StartupError } from '../startup-error';
import { ContainersConfig, withStores } from './config';
import { showDemo } from './show-demo';
import { writeSettings } from './write-settings';

const SERVICES_DIR = resolve(__dirname, '../../../../services');
const SETTINGS_DIR = '/settings';

/** The gateway's name on the network of the containers. */
const GATEWAY_HOST = 'gateway';

/**
 * One step of a start in containers, named by the argument: `settings` checks the configuration,
 * makes what secrets a sandbox misses and hands each service its own; `migrate` brings the schemas
 * up to date; `demo` makes the demo and says how to begin.
 */
async function main(step: string | undefined): Promise<void> {
  const config = loadConfigOrExit(ContainersConfig, withStores(process.env));
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const dataDir = resolve(config.DATA_DIR);
  const house: House = {
    config,
    secrets: await loadSecrets(config, dataDir),
    databaseUrl: config.DATABASE_URL ?? '',
    inherited: {},
  };

  if (step === 'settings') {
    await writeSettings(house, SETTINGS_DIR);
    say(`each service has its settings (${config.FIADO_MODE})`);
  } else if (step === 'migrate') {
    const inherited = inheritedEnvironment(process.env);
    const scriptOf = (service: string) => resolve(SERVICES_DIR, service, 'dist/main.js');
    await migrateAll({ ...house, inherited }, scriptOf, stop.signal);
  } else if (step === 'demo') {
    const baseUrl = `http://${GATEWAY_HOST}:${config.PORT}`;
    await showDemo({ house, baseUrl, dataDir, say }, stop.signal);
  } else {
    throw new StartupError('say which step: settings, migrate or demo');
  }
}

main(process.argv[2]).catch((error: unknown) => {
  say(messageOf(error));
  process.exit(error instanceof StartupError ? error.exitCode : 1);
});
