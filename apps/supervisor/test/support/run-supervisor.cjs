// Runs the supervisor's sources in a plain Node process, on the stand-ins in the folder given.
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, file) =>
  module._compile(
    transformFileSync(file, {
      swcrc: false,
      module: { type: 'commonjs' },
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, useDefineForClassFields: false },
      },
    }).code,
    file,
  );

const { loadConfigOrExit } = require('@fiado/shared/chassis/config');
const { inheritedEnvironment, SupervisorConfig } = require('../../src/config.ts');
const { say } = require('../../src/say.ts');
const { listenForSignals } = require('../../src/signals.ts');
const { supervise } = require('../../src/supervise.ts');

const [servicesDir, readyTimeoutMs] = process.argv.slice(2);
void supervise({
  config: loadConfigOrExit(SupervisorConfig, process.env),
  inherited: inheritedEnvironment(process.env),
  wishes: listenForSignals(say),
  say,
  servicesDir,
  readyTimeoutMs: Number(readyTimeoutMs),
}).then((code) => process.exit(code));
