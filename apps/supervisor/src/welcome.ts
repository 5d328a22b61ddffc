import { join, relative } from 'node:path';
import { demoFile, FIRST_PATH } from './seed-demo';

export interface Welcome {
  baseUrl: string;
  /** Where people open the console; undefined when it does not run. */
  consoleUrl?: string | undefined;
  /** Undefined in production, or when the demo could not be made. */
  demoKey: string | undefined;
  /** Signs in to the console, once; undefined in production. */
  signInLink?: string | undefined;
  /** Where the ops key is, never the key. */
  opsKeyPlace: string;
  dataDir: string;
  /** Where the demo's SMS are read. */
  smsPlace: string;
  /** File of the logs; undefined when they are not in a file. */
  logFile?: string | undefined;
}

/** The message after a start: the addresses, and what to do next. */
export function welcomeLines(welcome: Welcome): string[] {
  const { baseUrl, consoleUrl, demoKey, signInLink } = welcome;
  const { opsKeyPlace, dataDir, logFile, smsPlace } = welcome;
  const lines = [
    '',
    `Fiado runs at ${baseUrl}`,
    '',
    `  API reference  ${baseUrl}/docs`,
    ...(consoleUrl === undefined ? [] : [`  console        ${consoleUrl}`]),
    ...(logFile === undefined ? [] : [`  logs           ${shortPath(logFile)}`]),
    `  ops key        ${opsKeyPlace}`,
  ];
  if (demoKey === undefined) return [...lines, ''];
  return [
    ...lines,
    `  demo key       ${demoKey}`,
    `  SMS            ${smsPlace}`,
    `  demo data      ${shortPath(demoFile(dataDir))}`,
    '',
    ...(signInLink === undefined
      ? []
      : [
          'Look around in the console (this link signs in once, within 24 hours):',
          `  ${signInLink}`,
          '',
        ]),
    'Look up a corner store:',
    `  curl ${baseUrl}${FIRST_PATH} -H 'Authorization: ${demoKey}'`,
    '',
  ];
}

/** A path as a person would type it here. */
export function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : join('.', fromHere);
}
