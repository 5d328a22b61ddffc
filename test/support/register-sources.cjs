// Loaded into a process (--require), which then runs TypeScript. `-C fiado-src` leads it to the
// sources of the workspaces.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { version } = require('@swc/core/package.json');
const options = require('./jest/swc.cjs');

/** What was compiled, by a hash of all that it was compiled from: a service has hundreds of sources. */
const COMPILED = path.join(__dirname, '../../node_modules/.cache/fiado-sources');
const COMPILER = `${version} ${JSON.stringify(options)}`;

Module._extensions['.ts'] = (module, filename) => {
  module._compile(compiled(filename), filename);
};

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const hash = createHash('sha256').update(COMPILER).update(source).digest('hex');
  const kept = path.join(COMPILED, `${hash}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    // Most processes that inherit this option run no source.
    const { transformSync } = require('@swc/core');
    const { code } = transformSync(source, { ...options, filename, module: { type: 'commonjs' } });
    mkdirSync(COMPILED, { recursive: true });
    // Renamed, so that another process never reads half of it.
    const written = `${kept}.${process.pid}`;
    writeFileSync(written, code);
    renameSync(written, kept);
    return code;
  }
}

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, from, ...rest) => {
  // A dynamic import of a source names the compiled file.
  const isOfSource = request.startsWith('.') && from?.filename?.endsWith('.ts');
  return resolve(isOfSource ? request.replace(/\.js$/, '') : request, from, ...rest);
};
