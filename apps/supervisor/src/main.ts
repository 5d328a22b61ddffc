import { loadConfigOrExit } from '@fiado/shared/chassis/config';

import { inheritedEnvironment, SupervisorConfig } from './config';
import { say } from './say';
import { listenForSignals } from './signals';
import { supervise } from './supervise';

/** What `npm start` runs: all of Fiado on this machine, until a signal ends it. */
async function main(): Promise<void> {
  const config = loadConfigOrExit(SupervisorConfig, process.env);
  // A closed terminal or a reader that left must not end us before the database is stopped.
  process.stdout.on('error', () => undefined);

  const code = await supervise({
    config,
    inherited: inheritedEnvironment(process.env),
    wishes: listenForSignals(say),
    say,
  });
  process.exit(code);
}

void main();
