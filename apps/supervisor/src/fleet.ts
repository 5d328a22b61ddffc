import { access } from 'node:fs/promises';

import { EXIT_BAD_CONFIG } from '@fiado/chassis/config';

import type { ServiceOutput } from './output/service-output';
import type { Say } from './say';
import { environmentOf, type Installation } from './service-environment';
import { ServiceProcess } from './service-process';
import { SERVICES } from './services';
import { StartupError } from './startup-error';

export interface FleetOptions {
  installation: Installation;
  scriptOf: (service: string) => string;
  say: Say;
  output: ServiceOutput;
  onFailure: (error: StartupError) => void;
}

/** The five processes together. */
export interface Fleet {
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
  say,
  output,
  onFailure,
}: FleetOptions): Fleet {
  const processes = SERVICES.map((service) => ({
    wave: service.stopsIn,
    process: new ServiceProcess({
      name: service.name,
      script: scriptOf(service.name),
      env: environmentOf(service, installation),
      say,
      output,
      onRefused: (name) =>
        onFailure(
          new StartupError(`${name} rejected its configuration: see above`, EXIT_BAD_CONFIG),
        ),
    }),
  }));
  for (const { process } of processes) process.start();

  return {
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
