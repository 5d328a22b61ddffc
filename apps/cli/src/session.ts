import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runningBaseUrl } from '@fiado/chassis/running-address';
import { FiadoConnectionError, type FiadoOptions } from '@fiado/client';
import { createResources } from '@fiado/client/resources';
import { ROUTES, type Resources } from '@fiado/ops-client/generated/resources';
import { CommandFailed, UsageError } from './errors';
import { createOutput, type Io, type Output } from './output';

const DEFAULT_BASE_URL = 'http://127.0.0.1:3000';
const DEFAULT_DATA_DIR = '.data';
/** Longer than the gateway's deadline of most calls, 10 s, so that its answer comes first. */
const TIMEOUT_MS = 15_000;
/** A file of 200 MB over a slow line. */
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
/** A person waits three seconds at most to learn that nothing listens at the address. */
const PATIENCE: Patience = { maxRetries: 3, deadlineMs: 60_000 };

/** How long a call is repeated. */
export type Patience = Required<Pick<FiadoOptions, 'maxRetries' | 'deadlineMs'>>;

/** The parts that a command works with. */
export interface Session {
  /** The operations of the document for ops. */
  ops: Resources;
  /**
   * Gets a file of the API; the clients have operations with JSON only.
   * @param path below `/v1/admin`
   */
  download: (path: string) => Promise<Buffer>;
  out: Output;
  io: Io;
}

/** Options that every command has. */
interface CommonOptions {
  baseUrl?: string;
  opsKey?: string;
  json?: boolean;
}

/**
 * Opens a session for a command that was given; patience is longer for long work.
 * @throws UsageError when the address is none, or no ops key is found
 */
export async function openSession(
  io: Io,
  options: CommonOptions,
  patience = PATIENCE,
): Promise<Session> {
  const dataDir = dataDirOf(io.env);
  const baseUrl = await baseUrlFor(options, io.env, dataDir);
  const apiKey = await opsKeyOf(options.opsKey, io.env, dataDir);
  const settings = { apiKey, baseUrl, timeoutMs: TIMEOUT_MS, ...patience };
  return {
    ops: createResources(settings, ROUTES) as unknown as Resources,
    download: (path) => downloadFile(`${baseUrl}/v1/admin${path}`, apiKey),
    out: createOutput(io, options.json ?? false),
    io,
  };
}

/** @throws CommandFailed with the code of a refusal; FiadoConnectionError without an answer */
async function downloadFile(url: string, apiKey: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const response = await fetch(url, { headers, signal }).catch((error: unknown) => {
    throw new FiadoConnectionError({ operation: 'download', url }, error);
  });
  const content = Buffer.from(await response.arrayBuffer());
  if (response.ok) return content;
  throw new CommandFailed(refusalIn(content.toString()) ?? `HTTP ${response.status}`);
}

function refusalIn(text: string): string | undefined {
  try {
    const { errorCode, errorMessage } = JSON.parse(text) as Record<string, string | undefined>;
    return errorCode && `${errorCode}: ${errorMessage}`;
  } catch {
    return undefined;
  }
}

function dataDirOf(env: Io['env']): string {
  return nonEmpty(env['DATA_DIR']) ?? DEFAULT_DATA_DIR;
}

async function baseUrlFor(
  options: CommonOptions,
  env: Io['env'],
  dataDir: string,
): Promise<string> {
  return baseUrlOf(
    options.baseUrl ??
      nonEmpty(env['BASE_URL']) ??
      (await runningBaseUrl(dataDir)) ??
      DEFAULT_BASE_URL,
  );
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
  return printable(key, 'ops key');
}

function printable(key: string, name: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError(`the ${name} contains invalid characters`);
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
