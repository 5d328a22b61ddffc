import { resolve } from 'node:path';

import { loadConfigOrExit, loadEnvFileOrExit } from '@fiado/chassis/config';

import { SupervisorConfig } from './config';
import { inheritedEnvironment } from './inherited-environment';
import { outputFor } from './output/service-output';
import { say } from './say';
import { listenForSignals } from './signals';
import { supervise } from './supervise';

/** What `npm start` runs: all of Fiado on this machine, until a signal ends it. */
async function main(): Promise<void> {
  loadEnvFileOrExit();
  const config = loadConfigOrExit(SupervisorConfig, process.env);
  const code = await supervise({
    config,
    inherited: inheritedEnvironment(process.env),
    stopRequests: listenForSignals(say),
    say,
    output: outputFor(process.stdout, resolve(config.DATA_DIR), say),
  });
  process.exit(code);
}

void main();
