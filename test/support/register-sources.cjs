// Loaded into a process (--require), which then runs TypeScript. `-C fiado-src` leads it to the
// sources of the workspaces.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const options = require('./jest/swc.cjs');

Module._extensions['.ts'] = (module, filename) => {
  // Most processes that inherit this option run no source.
  const { transformSync } = require('@swc/core');
  const source = readFileSync(filename, 'utf8');
  const { code } = transformSync(source, { ...options, filename, module: { type: 'commonjs' } });
  module._compile(code, filename);
};

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, from, ...rest) => {
  // A dynamic import of a source names the compiled file.
  const isOfSource = request.startsWith('.') && from?.filename?.endsWith('.ts');
  return resolve(isOfSource ? request.replace(/\.js$/, '') : request, from, ...rest);
};
