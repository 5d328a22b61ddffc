import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Say } from '../say';
import { messageOf } from '../startup-error';
import { openLogFile, type LogFile } from './log-file';
import { parseLogLine, readableLines } from './readable-line';

/** Destination of the output of the services. */
export interface ServiceOutput {
  /** Standard output and error of a service's process. */
  stdio: 'inherit' | 'pipe';
  /** Reads the output of a process, if it is piped to us. */
  follow(service: string, child: ChildProcess): void;
  /** File of the JSON logs; undefined when they go to our own output. */
  logFile: string | undefined;
}

/** For a program that reads our output: everything as the services print it, logs in JSON. */
export const RAW_OUTPUT: ServiceOutput = {
  stdio: 'inherit',
  follow: () => undefined,
  logFile: undefined,
};

/** For a person at a terminal: logs go to a file in DATA_DIR; SMS and warnings are shown. */
function readableOutput(dataDir: string, say: Say): ServiceOutput {
  const path = join(dataDir, 'logs', 'fiado.log');
  let file: LogFile | undefined;
  let failed = false;
  const keep = (line: string) => {
    try {
      file ??= openLogFile(path);
      file.write(line);
    } catch (error) {
      // A full disk must not end running processes. The problem is printed once.
      if (!failed) say(`cannot write ${path}: ${messageOf(error)}`);
      failed = true;
    }
  };
  const read = (service: string, line: string) => {
    if (parseLogLine(line) !== undefined) keep(line);
    for (const row of readableLines(service, line)) say(row);
  };
  return {
    stdio: 'pipe',
    follow: (service, { stdout, stderr }) => {
      for (const input of [stdout, stderr]) {
        if (input) createInterface({ input }).on('line', (line) => read(service, line));
      }
    },
    logFile: path,
  };
}

/** Readable on a terminal, raw anywhere else. */
export function outputFor(
  stream: { isTTY?: boolean | undefined },
  dataDir: string,
  say: Say,
): ServiceOutput {
  return stream.isTTY === true ? readableOutput(dataDir, say) : RAW_OUTPUT;
}
