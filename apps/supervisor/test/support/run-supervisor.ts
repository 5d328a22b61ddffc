/** Runs the supervisor on the stand-ins in the folder that is its first argument. */
import { loadConfigOrExit } from '@fiado/chassis/config';
import { SupervisorConfig } from '../../src/config';
import { say } from '../../src/say';
import { inheritedEnvironment } from '../../src/service-environment';
import { outputFor } from '../../src/service-output';
import { listenForSignals, supervise } from '../../src/supervise';

const [rootDir = '', readyTimeoutMs] = process.argv.slice(2);
const config = loadConfigOrExit(SupervisorConfig, process.env);
void supervise({
  config,
  inherited: inheritedEnvironment(process.env),
  stopRequests: listenForSignals(say),
  say,
  output: outputFor(process.stdout, config.DATA_DIR, say),
  rootDir,
  readyTimeoutMs: Number(readyTimeoutMs),
}).then((code) => process.exit(code));
