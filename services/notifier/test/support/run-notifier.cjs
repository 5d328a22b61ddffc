// Runs the notifier's sources in a plain Node process, configured by its environment.
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

module.exports = require('../../src/main.ts');
