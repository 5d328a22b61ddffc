import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { addressFile, type RunningAddress } from '@fiado/chassis/running-address';
import { SupervisorConfig } from './config';
import { openDatabase } from './database';
import { requireBuilt, startConsole, startFleet } from './fleet';
import { writeJsonFile } from './json-file';
import { migrateAll } from './migrate';
import { freeConsolePort, requireFreePorts, requireRedis } from './ports';
import { waitUntilReady } from './readiness';
import { messageOf, StartupError, type Say } from './say';
import { loadSecrets, secretsFile } from './secrets';
import { inviteDemoAdmin, seedDemo } from './seed-demo';
import {
  consoleUrl,
  localUrl,
  migrationEnvironmentOf,
  type Installation,
} from './service-environment';
import type { ServiceOutput } from './service-output';
import type { ServiceProcess } from './service-process';
import { SERVICES } from './services';
import { shortPath, welcomeLines } from './welcome';

/**
 * Two signals closer than this count as one: Ctrl-C reaches the whole group of a terminal, so npm
 * gets it as well and passes it on.
 */
const SAME_REQUEST_MS = 1_000;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface SuperviseOptions {
  config: SupervisorConfig;
  /** Variables of our environment that children get unchanged. */
  inherited: Record<string, string>;
  stopRequests: StopRequests;
  say: Say;
  output: ServiceOutput;
  /** Folder of services and apps; tests put stand-ins there. */
  rootDir?: string;
  readyTimeoutMs?: number | undefined;
}

interface Run extends SuperviseOptions {
  dataDir: string;
  scriptOf: (service: string) => string;
  consoleScript: string;
  migrateScript: string;
  /** Aborted when the run ends, by a signal or a failure. */
  end: AbortSignal;
  fail: (error: StartupError) => void;
  /** Cleanup steps, run in reverse order. */
  undo: (() => Promise<void>)[];
}

/** How long the services of a killed start may take to notice it and close their ports. */
const ORPHAN_TIMEOUT_MS = 10_000;

const ROOT = resolve(__dirname, '../../..');

/**
 * Runs all of Fiado until a signal or a failure ends it, then stops everything.
 * @returns the exit code
 */
export async function supervise(options: SuperviseOptions): Promise<number> {
  const { config, stopRequests, say, rootDir = ROOT } = options;
  const end = new AbortController();
  let failure: unknown;
  const fail = (error: unknown) => {
    if (end.signal.aborted) return; // what breaks while we stop is not why we stop
    failure = error;
    end.abort();
  };
  const run: Run = {
    ...options,
    dataDir: resolve(config.DATA_DIR),
    scriptOf: (service) => join(rootDir, 'services', service, 'dist/main.js'),
    consoleScript: join(rootDir, 'apps/console/dist/main.js'),
    migrateScript: join(rootDir, 'apps/supervisor/dist/migrate-schemas/main.js'),
    end: end.signal,
    fail,
    undo: [],
  };

  stopRequests.stop.addEventListener('abort', () => end.abort(), { once: true });
  if (stopRequests.stop.aborted) end.abort();
  await start(run).catch(fail);
  await untilAborted(end.signal);
  if (failure) say(messageOf(failure));

  const undone = await undoAll(run);
  if (!failure) return undone ? 0 : 1;
  return failure instanceof StartupError ? failure.exitCode : 1;
}

/** The start, step by step; each step adds how to undo it. */
async function start(run: Run): Promise<void> {
  const { say, output, dataDir, scriptOf, end, fail, undo } = run;
  let { config } = run;
  const sandbox = config.FIADO_MODE !== 'production';

  await requireBuilt([...SERVICES.map(({ name }) => scriptOf(name)), run.consoleScript]);
  const database = await openDatabase(
    {
      configuredUrl: config.DATABASE_URL,
      directUrl: config.MIGRATION_DATABASE_URL,
      dataDir,
      say,
      onFailure: fail,
    },
    end,
  );
  undo.push(() => database.close());
  await requireFreePorts(config, database.adopted ? ORPHAN_TIMEOUT_MS : 0, end);
  const consolePort = await freeConsolePort(config, say);
  config = Object.assign(new SupervisorConfig(), config, { CONSOLE_PORT: consolePort });
  await requireRedis(config.REDIS_URL);
  const secrets = await loadSecrets(config, dataDir);
  const installation = { config, secrets, databaseUrl: database.url, inherited: run.inherited };

  end.throwIfAborted();
  // Loading is the most of a start, so the services load while their schemas are migrated.
  const areHeld = sandbox;
  const fleet = startFleet({ installation, scriptOf, areHeld, say, output, onFailure: fail });
  endWith(run, fleet);
  const console = await startConsole({ installation, script: run.consoleScript, say, output });
  if (console !== undefined) endWith(run, console);
  if (sandbox) {
    const env = migrationEnvironmentOf(installation);
    await migrateAll({ script: run.migrateScript, env, output }, end);
  }
  end.throwIfAborted();
  fleet.release();
  const { hasStarted } = fleet;
  await waitUntilReady({ config, hasStarted, say, timeoutMs: run.readyTimeoutMs }, end);

  const baseUrl = localUrl(config.HOST, config.PORT);
  if (sandbox) {
    await writeJsonFile(addressFile(dataDir), { baseUrl } satisfies RunningAddress);
    undo.push(() => rm(addressFile(dataDir), { force: true }));
  }
  await welcome({ ...run, installation, console, baseUrl });
}

/** Stops what runs when the run ends, and kills it when it is to end at once. */
function endWith(
  { undo, stopRequests }: Run,
  running: { stop: () => Promise<void>; kill: () => void },
): void {
  undo.push(() => running.stop());
  stopRequests.force.addEventListener('abort', () => running.kill(), { once: true });
}

interface RunningFiado extends Run {
  installation: Installation;
  /** Undefined where its port is taken. */
  console: ServiceProcess | undefined;
  baseUrl: string;
}

/** The rest of a start once Fiado runs: demo data, and the next steps. */
async function welcome(run: RunningFiado): Promise<void> {
  const { installation, console, baseUrl, say, output, dataDir, end } = run;
  const { config, secrets } = installation;
  const sandbox = config.FIADO_MODE !== 'production';
  const opsKey = secrets.OPS_API_KEY;

  const [demoKey, signInLink] = await Promise.all([
    sandbox ? demoKeyOf(run, baseUrl, opsKey) : undefined,
    sandbox && console !== undefined ? inviteDemoAdmin({ baseUrl, opsKey, say }, end) : undefined,
  ]);
  end.throwIfAborted();
  const lines = welcomeLines({
    baseUrl,
    consoleUrl: console === undefined ? undefined : consoleUrl(config),
    signInLink,
    demoKey,
    opsKeyPlace: config.OPS_API_KEY
      ? 'yours, from OPS_API_KEY'
      : `OPS_API_KEY in ${shortPath(secretsFile(dataDir))}`,
    dataDir,
    smsPlace: config.SMS_PROVIDER === 'twilio' ? 'sent' : 'shown here',
    logFile: output.logFile,
  });
  await Promise.race([console?.started, untilAborted(end)]);
  end.throwIfAborted();
  for (const line of lines) say(line);
  say('Next: docs/guides/quick-start.md, or `npm run demo` in a second terminal. Ctrl-C stops.');
  say(`ready in ${process.uptime().toFixed(1)} s`);
}

/** Fiado runs without the demo data; if it cannot be created, the next start continues. */
async function demoKeyOf(run: Run, baseUrl: string, opsKey: string): Promise<string | undefined> {
  try {
    const demo = await seedDemo({ baseUrl, opsKey, dataDir: run.dataDir }, run.end);
    return demo.wholesaler?.apiKey;
  } catch (error) {
    run.end.throwIfAborted();
    run.say(`the demo data could not be created; the next start tries again: ${messageOf(error)}`);
    return undefined;
  }
}

/** False when something could not be undone. */
async function undoAll({ undo, say }: Run): Promise<boolean> {
  let complete = true;
  for (const step of undo.toReversed()) {
    await step().catch((error: unknown) => {
      complete = false;
      say(messageOf(error));
    });
  }
  if (undo.length > 0) say('stopped');
  return complete;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => {
    // A timer keeps the process alive: with every service in its backoff nothing else would.
    const alive = setInterval(() => undefined, 60_000);
    signal.addEventListener(
      'abort',
      () => {
        clearInterval(alive);
        done();
      },
      { once: true },
    );
  });
}

interface StopRequests {
  /** Aborted by the first signal, or when nobody reads the output any more: stop in order. */
  stop: AbortSignal;
  /** Aborted by a later signal: stop at once. */
  force: AbortSignal;
}

/** Turns signals of this process, and a closed output, into requests to stop. */
export function listenForSignals(say: Say): StopRequests {
  const stop = new AbortController();
  const force = new AbortController();
  let firstAt = 0;

  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (!stop.signal.aborted) {
        firstAt = Date.now();
        say(`${signal}: stopping (repeat to stop without waiting)`);
        stop.abort();
      } else if (Date.now() - firstAt > SAME_REQUEST_MS && !force.signal.aborted) {
        say(`${signal}: stopping without waiting`);
        force.abort();
      }
    });
  }
  // `npm start | head`: without a listener the error would end us before the database is stopped.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => stop.abort());
  return { stop: stop.signal, force: force.signal };
}
