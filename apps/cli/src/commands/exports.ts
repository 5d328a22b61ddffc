import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import { Argument } from 'commander';
import { EXPORT_KINDS, type ExportKind } from '@fiado/contracts/exports';
import type { Schema } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand } from '../command';
import { CommandFailed, UsageError } from '../errors';
import { nounOf } from '../operation-commands';
import type { Io } from '../output';
import type { Session } from '../session';

/** How often an export is looked at while it is made, in milliseconds. */
const LOOK_MS = 1_000;

/** A download that is cut goes on where it was, so many times without a further byte. */
const MAX_TRIES = 5;

/** fiado exports download. */
export function addExportDownloadCommand(program: CliCommand): void {
  nounOf(program, 'exports')
    .command('download')
    .description('wait until an export is ready, and download its file')
    .addArgument(new Argument('<kind>', 'what is exported').choices([...EXPORT_KINDS]))
    .argument('<exportId>', '', id)
    .option('--output <file>', 'the file (default: its kind and id)')
    .example(
      'fiado exports download orders 0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34 --output orders.csv',
    )
    .work(downloadExport);
}

/** @throws CommandFailed when the export failed or the file is not whole; UsageError when it exists */
async function downloadExport(
  { ops, out, io }: Session,
  kind: ExportKind,
  exportId: string,
  { output }: { output?: string },
): Promise<void> {
  let shown = await ops.exports.get(kind, exportId);
  const extension = shown.format === 'people' ? 'csv' : shown.format;
  const file = output ?? `${kind}-${exportId}.${extension}`;
  if ((await stat(file).catch(() => undefined)) !== undefined) {
    throw new UsageError(`${file} exists already`);
  }
  const progress = createProgress(io);
  try {
    while (shown.status === 'waiting' || shown.status === 'running') {
      progress.made(shown);
      await sleep(LOOK_MS);
      shown = await ops.exports.get(kind, exportId);
    }
    if (shown.status !== 'ready') throw new CommandFailed(`the export is ${shown.status}`);
    const { url } = await ops.exports.link(kind, exportId);
    const part = `${file}.part`;
    await rm(part, { force: true });
    await fetchInto(part, { url, size: shown.bytes, progress });
    if ((await sha256Of(part)) !== shown.sha256) {
      throw new CommandFailed(`${part} is not what was exported`);
    }
    await rename(part, file);
  } finally {
    progress.stop();
  }
  out.record({ file, rows: shown.rows, bytes: shown.bytes, sha256: shown.sha256 });
}

/** Downloads a file, and continues after a cut. */
async function fetchInto(
  part: string,
  { url, size, progress }: { url: string; size: number; progress: Progress },
): Promise<void> {
  let [at, tries, etag] = [0, 0, ''];
  while (at < size || etag === '') {
    const before = at;
    try {
      const range = at === 0 ? {} : { range: `bytes=${at}-`, 'if-range': etag };
      const response = await fetch(url, { headers: range });
      if (response.status !== (at === 0 ? 200 : 206)) {
        throw new CommandFailed(`the file cannot be downloaded: HTTP ${response.status}`);
      }
      etag = response.headers.get('etag') ?? 'none';
      const stream = createWriteStream(part, { flags: 'a' });
      try {
        for await (const chunk of response.body ?? []) {
          const bytes = chunk as Uint8Array;
          if (!stream.write(bytes)) await once(stream, 'drain');
          at += bytes.length;
          progress.downloaded(at, size);
        }
      } finally {
        stream.end();
        await once(stream, 'close');
      }
    } catch (error) {
      tries = at > before ? 0 : tries + 1;
      if (error instanceof CommandFailed || tries >= MAX_TRIES) throw error;
      await sleep(LOOK_MS);
    }
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  return hash.digest('hex');
}

interface Progress {
  made(shown: Schema<'Export'>): void;
  downloaded(bytes: number, size: number): void;
  stop(): void;
}

/** A progress bar on a terminal; elsewhere nothing is drawn. How many rows there will be is not known. */
function createProgress({ stderr }: Io): Progress {
  if (stderr.isTTY !== true) return { made: () => {}, downloaded: () => {}, stop: () => {} };
  const bar = new SingleBar(
    { stream: stderr, format: '{bar} {text}', hideCursor: false },
    Presets.shades_classic,
  );
  let isStarted = false;
  const draw = (value: number, total: number, text: string): void => {
    if (!isStarted) bar.start(total, value, { text });
    isStarted = true;
    bar.setTotal(total);
    bar.update(value, { text });
  };
  return {
    made: ({ rows, status }) => draw(0, 1, `${status}: ${rows} rows`),
    downloaded: (bytes, size) => draw(bytes, size, `${bytes} of ${size} bytes`),
    stop: () => bar.stop(),
  };
}
