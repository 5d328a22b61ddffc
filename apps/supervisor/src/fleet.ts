import { access } from 'node:fs/promises';

import { EXIT_BAD_CONFIG } from '@fiado/shared/chassis/config';

import type { Say } from './say';
import { environmentOf, type House } from './service-environment';
import { ServiceProcess } from './service-process';
import { SERVICES } from './services';
import { StartupError } from './startup-error';

export interface FleetOptions {
  house: House;
  scriptOf: (service: string) => string;
  say: Say;
  onFailure: (error: StartupError) => void;
}

/** The five processes together. */
export interface Fleet {
  /** Callers before the called, so that nobody asks a neighbour that is gone. */
  stop(): Promise<void>;
  kill(): void;
}

/** Ends the start when something is not built, before anything runs. */
export async function requireBuilt(scriptOf: (service: string) => string): Promise<void> {
  for (const { name } of SERVICES) {
    await access(scriptOf(name)).catch(() => {
      throw new StartupError(`${scriptOf(name)} is missing: run npm run build first`);
    });
  }
}

/** Starts all at once: they find each other when they are ready, not before. */
export function startFleet({ house, scriptOf, say, onFailure }: FleetOptions): Fleet {
  const processes = SERVICES.map((service) => ({
    wave: service.stopsIn,
    process: new ServiceProcess({
      name: service.name,
      script: scriptOf(service.name),
      env: environmentOf(service, house),
      say,
      onRefused: (name) =>
        onFailure(
          new StartupError(`${name} refuses its configuration: see above`, EXIT_BAD_CONFIG),
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
