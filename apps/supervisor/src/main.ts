import '@fiado/chassis/process-setup';
import { resolve } from 'node:path';
import { loadConfigOrExit, loadEnvFileOrExit } from '@fiado/chassis/config';
import { SupervisorConfig } from './config';
import { say } from './say';
import { inheritedEnvironment } from './service-environment';
import { outputFor } from './service-output';
import { listenForSignals, supervise } from './supervise';

/** The program of `npm start`: all of Fiado on this machine, until a signal ends it. */
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
