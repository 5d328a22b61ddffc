import { access } from 'node:fs/promises';
import { EXIT_BAD_CONFIG } from '@fiado/chassis/config';
import { portProblem } from './ports';
import { StartupError, type Say } from './say';
import { consoleEnvironmentOf, environmentOf, type Installation } from './service-environment';
import type { ServiceOutput } from './service-output';
import { ServiceProcess } from './service-process';
import { SERVICES } from './services';

export interface FleetOptions {
  installation: Installation;
  scriptOf: (service: string) => string;
  /** Whether the processes load and open nothing until they are released. */
  areHeld: boolean;
  say: Say;
  output: ServiceOutput;
  onFailure: (error: StartupError) => void;
}

/** The five processes together. */
export interface Fleet {
  release(): void;
  /** Whether the process of a service has begun to serve, or has ended without. */
  hasStarted: (name: string) => boolean;
  /**
   * Stops the gateway first and the services that others call last, so that no call finds its
   * service gone.
   */
  stop(): Promise<void>;
  kill(): void;
}

/** Ends the start when something is not built, before anything runs. */
export async function requireBuilt(scripts: string[]): Promise<void> {
  for (const script of scripts) {
    await access(script).catch(() => {
      throw new StartupError(`${script} is missing: run npm run build first`);
    });
  }
}

/** Starts all at once: they find each other when they are ready, not before. */
export function startFleet({
  installation,
  scriptOf,
  areHeld,
  say,
  output,
  onFailure,
}: FleetOptions): Fleet {
  const processes = SERVICES.map((service) => ({
    name: service.name,
    wave: service.stopsIn,
    process: new ServiceProcess({
      name: service.name,
      script: scriptOf(service.name),
      // All processes are of one release, so that every worker reads bundles.
      env: { JOB_BUNDLES: 'on', ...environmentOf(service, installation) },
      servesOrders: service.servesOrders,
      isHeld: areHeld,
      say,
      output,
      onRefused: (name) =>
        onFailure(
          new StartupError(`${name} rejected its configuration: see above`, EXIT_BAD_CONFIG),
        ),
    }),
  }));
  const started = new Set<string>();
  for (const { name, process } of processes) {
    process.start();
    void process.started.then(() => started.add(name));
  }

  return {
    release: () => {
      for (const { process } of processes) process.release();
    },
    hasStarted: (name) => started.has(name),
    stop: async () => {
      for (const wave of [1, 2, 3]) {
        const leaving = processes.filter((one) => one.wave === wave);
        await Promise.all(leaving.map(({ process }) => process.stop()));
      }
    },
    kill: () => {
      for (const { process } of processes) process.kill();
    },
  };
}

interface ConsoleOptions {
  installation: Installation;
  script: string;
  say: Say;
  output: ServiceOutput;
}

/**
 * Starts the console's process, which is started again when it dies. Fiado runs without it: whatever
 * keeps it from running is printed and stops nothing.
 * @returns undefined when its port is taken
 */
export async function startConsole({
  installation,
  script,
  say,
  output,
}: ConsoleOptions): Promise<ServiceProcess | undefined> {
  const problem = await portProblem(installation.config, 'CONSOLE_HOST', 'CONSOLE_PORT');
  if (problem !== undefined) {
    say(`Fiado runs without its console: ${problem}`);
    return undefined;
  }
  const console = new ServiceProcess({
    name: 'console',
    script,
    env: consoleEnvironmentOf(installation),
    say,
    output,
    onRefused: () =>
      say('Fiado runs without its console, which rejected its configuration: see above'),
  });
  console.start();
  return console;
}
