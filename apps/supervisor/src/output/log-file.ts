import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Size at which the log file is put aside, in bytes. With the one before it: at most 20 MiB. */
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * A log file of bounded size. When it is full it becomes `<name>.1`, in place of the one before.
 */
export interface LogFile {
  path: string;
  /** @param line without its line break */
  write(line: string): void;
}

/** Opens a log file to append to, and makes its folder, for this user alone. */
export function openLogFile(path: string, maxBytes = MAX_BYTES): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const open = () => openSync(path, 'a', 0o600);
  let file = open();
  let size = fstatSync(file).size;

  return {
    path,
    write: (line) => {
      size += writeSync(file, `${line}\n`);
      if (size < maxBytes) return;
      closeSync(file);
      renameSync(path, `${path}.1`);
      file = open();
      size = 0;
    },
  };
}
