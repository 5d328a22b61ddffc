import { loadConfigOrExit } from '@fiado/shared/chassis/config';
import { loadEnvFileOrExit } from '@fiado/shared/chassis/env-file';

import { inheritedEnvironment, SupervisorConfig } from './config';
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
    wishes: listenForSignals(say),
    say,
  });
  process.exit(code);
}

void main();
