// Loaded into each Node process of `npm run test:dates` (--require): its Date, and the times of the files that
// it reads, are TEST_SECONDS_AHEAD ahead. PostgreSQL has the same time by time-ahead.c. Certificates, Redis and
// PgBouncer keep today.
const childProcess = require('node:child_process');
const fs = require('node:fs');
const { ServerResponse } = require('node:http');
const path = require('node:path');

const { TEST_SECONDS_AHEAD, TEST_TIME_AHEAD_LIBRARY } = process.env;
const AHEAD_MS = Number(TEST_SECONDS_AHEAD) * 1_000;
const DATABASE_PROGRAMS = new Set(['postgres', 'initdb', 'pg_ctl']);

const realNow = Date.now;
const now = () => realNow() + AHEAD_MS;
Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new Date().toString(),
});
const { prototype } = Date;
prototype.constructor = Date;

/** Variables that a child needs, whatever its parent passes on. */
function variablesFor(program, given) {
  const preload = `--require ${__filename}`;
  const options = given.NODE_OPTIONS ?? '';
  return {
    TEST_SECONDS_AHEAD,
    TEST_TIME_AHEAD_LIBRARY,
    NODE_OPTIONS: options.includes(preload) ? options : `${options} ${preload}`.trim(),
    ...(DATABASE_PROGRAMS.has(path.basename(program)) && {
      LD_PRELOAD: TEST_TIME_AHEAD_LIBRARY,
    }),
  };
}

const { ChildProcess } = childProcess;
const spawn = Reflect.get(ChildProcess.prototype, 'spawn');
// All that starts a child without waiting for it ends here.
ChildProcess.prototype.spawn = function spawnAhead(options) {
  const given = Object.fromEntries(
    (options.envPairs ?? []).map((pair) => [
      pair.slice(0, pair.indexOf('=')),
      pair.slice(pair.indexOf('=') + 1),
    ]),
  );
  const variables = { ...given, ...variablesFor(options.file, given) };
  const envPairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return spawn.call(this, { ...options, envPairs });
};

// Node writes the `Date` of an answer from a clock of its own, and a client of S3 corrects its own by that.
const storeHeader = Reflect.get(ServerResponse.prototype, '_storeHeader');
ServerResponse.prototype._storeHeader = function storeHeaderAhead(firstLine, headers) {
  const names = Array.isArray(headers) ? headers.flat() : Object.keys(headers ?? {});
  if (!this.sendDate || names.some((name) => String(name).toLowerCase() === 'date')) {
    return storeHeader.call(this, firstLine, headers);
  }
  this.sendDate = false;
  return storeHeader.call(this, `${firstLine}Date: ${new Date().toUTCString()}\r\n`, headers);
};

shiftFileTimes(fs.promises);

/** `stat` is ahead as the clock is, and `utimes` takes it back. */
function shiftFileTimes(api) {
  const { stat, lstat, utimes } = api;
  const ahead = async (found) => {
    const stats = await found;
    if (typeof stats.mtimeMs === 'bigint') return stats;
    for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) {
      stats[`${name}Ms`] += AHEAD_MS;
      stats[name] = new Date(stats[`${name}Ms`]);
    }
    return stats;
  };
  const back = (time) =>
    time instanceof Date ? new Date(time.getTime() - AHEAD_MS) : Number(time) - AHEAD_MS / 1_000;
  api.stat = (...args) => ahead(stat(...args));
  api.lstat = (...args) => ahead(lstat(...args));
  api.utimes = (path, atime, mtime) => utimes(path, back(atime), back(mtime));
}
