import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runningBaseUrl } from '@fiado/shared/running-address';
import type { Command } from 'commander';
import { createApi, type Api } from './api';
import { UsageError } from './errors';
import { createOutput, type Output } from './output';

const DEFAULT_BASE_URL = 'http://127.0.0.1:3000';
const DEFAULT_DATA_DIR = '.data';
/** A person waits this long at most for a busy or restarting system. */
const PATIENCE_MS = 10_000;

/** The process around a command, so that tests can stand in for it. */
export interface Io {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  env: Record<string, string | undefined>;
}

/** What a command works with. */
export interface Session {
  api: Api;
  out: Output;
  io: Io;
}

/** Options that every command has. */
interface CommonOptions {
  baseUrl?: string;
  opsKey?: string;
  json?: boolean;
}

/** Opens a session for a command that was given; patience is longer for long work. */
export type OpenSession = (command: Command, patienceMs?: number) => Promise<Session>;

/** @throws UsageError when the address is none, or no ops key is found */
export function sessionOpener(io: Io): OpenSession {
  return async (command, patienceMs = PATIENCE_MS) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const dataDir = nonEmpty(io.env['DATA_DIR']) ?? DEFAULT_DATA_DIR;
    const baseUrl = baseUrlOf(
      options.baseUrl ??
        nonEmpty(io.env['BASE_URL']) ??
        (await runningBaseUrl(dataDir)) ??
        DEFAULT_BASE_URL,
    );
    const opsKey = await opsKeyOf(options.opsKey, io.env, dataDir);
    return {
      api: createApi({ baseUrl, opsKey, patienceMs }),
      out: createOutput(io, options.json ?? false),
      io,
    };
  };
}

/** With or without the version at its end: users of the API have it there. */
function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new UsageError('the base URL must look like http://127.0.0.1:3000');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`;
}

async function opsKeyOf(
  option: string | undefined,
  env: Io['env'],
  dataDir: string,
): Promise<string> {
  const key = option ?? nonEmpty(env['OPS_API_KEY']) ?? (await keyOfSandbox(dataDir));
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('the ops key contains invalid characters');
  return key;
}

async function keyOfSandbox(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secrets.json');
  const key = await readFile(file, 'utf8').then(
    (text) => opsKeyIn(text),
    () => undefined,
  );
  if (key === undefined) {
    throw new UsageError(`no ops key: use --ops-key or OPS_API_KEY (${file} has none to read)`);
  }
  return key;
}

function opsKeyIn(text: string): string | undefined {
  try {
    const { OPS_API_KEY: key } = JSON.parse(text) as { OPS_API_KEY?: unknown };
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
