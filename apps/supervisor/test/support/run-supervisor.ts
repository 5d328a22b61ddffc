/** Runs the supervisor on the stand-ins in the folder that is its first argument. */
import { loadConfigOrExit } from '@fiado/shared/chassis/config';
import { inheritedEnvironment, SupervisorConfig } from '../../src/config';
import { say } from '../../src/say';
import { listenForSignals } from '../../src/signals';
import { supervise } from '../../src/supervise';

const [servicesDir = '', readyTimeoutMs] = process.argv.slice(2);
void supervise({
  config: loadConfigOrExit(SupervisorConfig, process.env),
  inherited: inheritedEnvironment(process.env),
  wishes: listenForSignals(say),
  say,
  servicesDir,
  readyTimeoutMs: Number(readyTimeoutMs),
}).then((code) => process.exit(code));
