import { readFileSync } from 'node:fs';
import { isReady, openApi, waitFor } from './api';
import { pidOf, type RunningSystem } from './system';

/** What a test needs in order to use the system that the global set-up started. */
export interface SharedSystemAddress {
  dataDir: string;
  ports: number[];
  consoleUrl: string;
  supervisorPid: number;
  opsKey: string;
  /** The owner's URL of its database. */
  databaseUrl: string;
  /** File with everything that its processes print. */
  outputFile: string;
}

export interface SharedSystem extends RunningSystem {
  databaseUrl: string;
  /** Waits until every process is ready: what a test killed must be back before the next one. */
  untilReady(): Promise<void>;
}

/**
 * The one running system of all end-to-end tests that need nothing special of it. Each test makes
 * wholesalers and stores of its own; what it kills is running again before it ends.
 */
export function sharedSystem(): SharedSystem {
  const { outputFile, opsKey, ...address } = JSON.parse(
    process.env.SHARED_SYSTEM ?? '',
  ) as SharedSystemAddress;
  return {
    ...openApi(`http://127.0.0.1:${address.ports[0]}`, opsKey),
    ...address,
    output: () => readFileSync(outputFile, 'utf8'),
    kill: (service) => process.kill(pidOf(address.supervisorPid, service), 'SIGKILL'),
    untilReady: async () => {
      await waitFor(async () => {
        const ready = await Promise.all(address.ports.map(isReady));
        return ready.every(Boolean) || undefined;
      });
    },
  };
}
