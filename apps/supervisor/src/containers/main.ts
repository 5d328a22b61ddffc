import '@fiado/chassis/process-setup';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadConfigOrExit, orExit, readEnvText } from '@fiado/chassis/config';
import { migrateAll } from '../migrate';
import { messageOf, say, StartupError, type Say } from '../say';
import { loadSecrets } from '../secrets';
import { inviteDemoAdmin, seedDemo } from '../seed-demo';
import {
  consoleUrl,
  inheritedEnvironment,
  migrationEnvironmentOf,
  localUrl,
  type Installation,
} from '../service-environment';
import { RAW_OUTPUT } from '../service-output';
import { welcomeLines } from '../welcome';
import { ContainersConfig, withStores } from './config';
import { createMetricsRole, keepMode, writeSettings } from './write-settings';
import { reapplyErasures } from './reapply-erasures';

/** Where the sandbox keeps its ops key, as the person who started it reads it. */
const OPS_KEY_PLACE = 'docker compose run --rm --entrypoint cat demo /data/secrets.json';

const SETTINGS_DIR = '/settings';

/** The gateway's name on the network of the containers. */
const GATEWAY_HOST = 'gateway';

/**
 * One step of a start in containers, named by the argument: `settings` checks the configuration,
 * makes what secrets a sandbox misses and hands each service its own; `migrate` brings the schemas
 * up to date; `demo` creates the demo data and prints what to do next; `reapply` erases persons of a
 * restored database again, by the list on its standard input.
 */
async function main(step: string | undefined): Promise<void> {
  if (step === 'reapply') {
    // It needs the owner's URL alone, so it also runs where no other step does.
    const { MIGRATION_DATABASE_URL, DATABASE_URL = '' } = withStores(process.env);
    return reapplyErasures(MIGRATION_DATABASE_URL || DATABASE_URL, await text(process.stdin), say);
  }
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
    const env = migrationEnvironmentOf({ ...installation, inherited });
    const script = resolve(__dirname, '../migrate-schemas/main.js');
    await migrateAll({ script, env, output: RAW_OUTPUT }, stop.signal);
    await createMetricsRole(config.MIGRATION_DATABASE_URL ?? installation.databaseUrl);
  } else if (step === 'demo') {
    const baseUrl = `http://${GATEWAY_HOST}:${config.PORT}`;
    await showDemo({ installation, baseUrl, dataDir, say }, stop.signal);
  } else {
    throw new StartupError('name a step: settings, migrate, demo or reapply');
  }
}

/**
 * The environment, and under it what docker/read-settings.sh hands over: production.env, or
 * nothing.
 */
async function withSettingsFile(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const given = Object.entries(env).filter(([, value]) => value !== '');
  const settings = await text(process.stdin);
  return {
    ...orExit(() => readEnvText(settings, 'the file of settings')),
    ...Object.fromEntries(given),
  };
}

interface ShowDemoOptions {
  installation: Installation;
  /** Address of the gateway from here. */
  baseUrl: string;
  dataDir: string;
  say: Say;
}

/**
 * Creates the demo data of a sandbox and prints what to do next; in production prints the addresses
 * only.
 */
async function showDemo(
  { installation, baseUrl, dataDir, say }: ShowDemoOptions,
  signal: AbortSignal,
): Promise<void> {
  const { config, secrets } = installation;
  const outside = config.PUBLIC_URL ?? localUrl('127.0.0.1', config.PORT);
  const production = config.FIADO_MODE === 'production';
  const opsKey = secrets.OPS_API_KEY;
  const demo = production ? undefined : await seedDemo({ baseUrl, opsKey, dataDir }, signal);
  const signInLink = production
    ? undefined
    : await inviteDemoAdmin({ baseUrl, opsKey, say }, signal);

  const lines = welcomeLines({
    baseUrl: outside,
    consoleUrl: consoleUrl(config),
    signInLink,
    demoKey: demo?.wholesaler?.apiKey,
    opsKeyPlace: config.OPS_API_KEY ? 'yours, from OPS_API_KEY' : OPS_KEY_PLACE,
    dataDir,
    smsPlace: 'docker compose logs notifier',
  });
  for (const line of lines) say(line);
}

main(process.argv[2]).catch((error: unknown) => {
  say(messageOf(error));
  process.exit(error instanceof StartupError ? error.exitCode : 1);
});
