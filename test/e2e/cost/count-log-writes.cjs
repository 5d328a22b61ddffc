const fs = require('node:fs');
const path = require('node:path');

/**
 * Loaded into a process (--require): for each write on its stdout, appends a line with the number
 * of log lines that it wrote to the file `COUNT_WRITES_INTO/<pid>`. At its end, it writes the files of
 * the modules that it has loaded to `COUNT_WRITES_INTO/<pid>.modules`.
 */
const file = path.join(process.env.COUNT_WRITES_INTO, String(process.pid));
fs.writeFileSync(file, '');

for (const name of ['write', 'writeSync']) {
  const original = fs[name];
  fs[name] = (fd, data, ...rest) => {
    if (fd === process.stdout.fd) {
      const lines = String(data).split('\n').length - 1;
      fs.appendFileSync(file, `${lines}\n`);
    }
    return original(fd, data, ...rest);
  };
}

process.once('exit', () =>
  fs.writeFileSync(`${file}.modules`, Object.keys(require.cache).join('\n')),
);
