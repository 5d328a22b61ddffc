import type { ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { messageOf, type Say } from './say';

/** pino's number of the level `warn`; what is below it goes to the log file alone. */
const WARN = 40;
const ERROR = 50;

/** Columns of the text in a box: a terminal of 80 columns has room for it and the frame. */
const BOX_WIDTH = 72;

/** Size at which the log file is put aside, in bytes. With the one before it: at most 20 MiB. */
const MAX_BYTES = 10 * 1024 * 1024;

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

/**
 * A log file of bounded size. When it is full it becomes `<name>.1`, in place of the one before.
 */
interface LogFile {
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

/** A line of pino. */
interface LogLine {
  level: number;
  time?: string;
  service?: string;
  msg?: string;
  err?: { message?: string };
}

/** A line that a service printed, as JSON if it is a log line. */
function parseLogLine(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = JSON.parse(line) as LogLine;
    return typeof parsed.level === 'number' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a person at a terminal sees of a line that a service printed: an SMS in a box, warnings and
 * errors as one line each, other log lines not at all, and everything else as it is.
 */
export function readableLines(service: string, line: string): string[] {
  const sms = /^SMS to (\S+): (.*)$/.exec(line);
  if (sms) return box(`SMS to ${sms[1]}`, sms[2] ?? '');
  const log = parseLogLine(line);
  if (log === undefined) return line.trim() === '' ? [] : [`${service}: ${line}`];
  if (log.level < WARN) return [];
  const clock = log.time === undefined ? '' : `${new Date(log.time).toTimeString().slice(0, 8)} `;
  const cause = log.err?.message === undefined ? '' : `: ${log.err.message}`;
  const severity = log.level < ERROR ? 'WARN ' : 'ERROR';
  return [`${clock}${severity} ${service}: ${log.msg ?? ''}${cause}`];
}

function box(title: string, text: string): string[] {
  return [
    `┌─ ${title} ${'─'.repeat(Math.max(BOX_WIDTH - title.length - 1, 0))}┐`,
    ...wrap(text).map((row) => `│ ${row.padEnd(BOX_WIDTH)} │`),
    `└${'─'.repeat(BOX_WIDTH + 2)}┘`,
  ];
}

/** Rows of whole words; a word that is longer than a row, such as a link, gets a row of its own. */
function wrap(text: string): string[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const row = rows.at(-1);
    if (row !== undefined && row.length + 1 + word.length <= BOX_WIDTH) {
      rows[rows.length - 1] = `${row} ${word}`;
    } else {
      rows.push(word);
    }
  }
  return rows;
}
