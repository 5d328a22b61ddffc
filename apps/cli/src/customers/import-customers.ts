import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { Presets, SingleBar } from 'cli-progress';
import type { Resources } from '@fiado/ops-client/generated/resources';
import { UsageError } from '../errors';
import { batchesOf, readCustomerRows, type SendableRow } from './customer-rows';
import { refusedRowsInFile, refusedRowsOnScreen, type RefusedRows } from './refused-rows';
import { sendBatch } from './send-batch';

/** Time between two lines where there is no terminal to draw on. */
const LINE_INTERVAL_MS = 5_000;

/**
 * Requests at the same time: while one is answered the next is read and sent. More gain nothing,
 * because a wholesaler's imports take turns in the service.
 */
const MAX_IN_FLIGHT = 2;

export interface ImportCustomers {
  ops: Resources;
  file: string;
  wholesalerId: string;
  refusedFile: string | undefined;
  progressTo: NodeJS.WritableStream & { isTTY?: boolean };
}

export interface ImportSummary {
  rows: number;
  /** Rows that are customers now, new or not: the API does not distinguish them. */
  imported: number;
  refused: number;
  /** Rows that wait for a second person, where the credential is a person's. */
  waiting?: number;
  changeRequestIds?: string[];
}

/**
 * Imports a CSV file of any size, in memory that does not depend on it.
 * @throws UsageError when a file cannot be used; FiadoError, FiadoConnectionError, FiadoTimeoutError or
 *   CommandFailed when it had to stop: imported rows stay, and running it again continues
 */
export async function importCustomers(command: ImportCustomers): Promise<ImportSummary> {
  const { size } = await stat(command.file).catch((error: Error) => {
    throw new UsageError(`the file cannot be read: ${error.message}`);
  });
  const refused = await openRefusedRows(command);
  const progress = createProgress(command.progressTo, size);
  const source = createReadStream(command.file);
  let imported = 0;
  let waiting = 0;
  const changeRequestIds: string[] = [];
  const summary = () => ({
    rows: imported + waiting + refused.count(),
    imported,
    refused: refused.count(),
    ...(waiting > 0 && { waiting, changeRequestIds }),
  });

  const batches = batchesOf(readCustomerRows(source), (row, reason) => refused.add(row, reason));
  try {
    await inTurns(batches, async (rows) => {
      await sendBatch(
        {
          ops: command.ops,
          wholesalerId: command.wholesalerId,
          imported: (count) => (imported += count),
          waiting: (count, changeRequestId) => {
            waiting += count;
            changeRequestIds.push(changeRequestId);
          },
          refuse: (row, reason) => refused.add(row, reason),
        },
        rows,
      );
      progress.update(source.bytesRead, summary());
    });
  } catch (error) {
    progress.stop();
    const { imported: done, refused: not } = summary();
    command.progressTo.write(`stopped after: imported ${done}, refused ${not}\n`);
    throw error;
  } finally {
    await refused.close();
  }
  progress.update(size, summary());
  progress.stop();
  return summary();
}

/** Works on a few batches at the same time; the first failure ends it once the others are done. */
async function inTurns(
  batches: AsyncIterable<SendableRow[]>,
  work: (rows: SendableRow[]) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    for await (const batch of batches) {
      const task: Promise<void> = work(batch)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(task));
      running.add(task);
      if (running.size >= MAX_IN_FLIGHT) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}

async function openRefusedRows(command: ImportCustomers): Promise<RefusedRows> {
  const { file, refusedFile, progressTo } = command;
  if (refusedFile === undefined) return refusedRowsOnScreen(progressTo);
  const target = await realpath(refusedFile).catch(() => undefined);
  if (target === (await realpath(file))) {
    throw new UsageError('the refused file must not be the file that is imported');
  }
  return refusedRowsInFile(refusedFile);
}

interface Progress {
  /** @param bytes of the file that were read */
  update(bytes: number, counts: { imported: number; refused: number }): void;
  stop(): void;
}

/** A progress bar on a terminal, otherwise a line at intervals. */
function createProgress(
  screen: NodeJS.WritableStream & { isTTY?: boolean },
  totalBytes: number,
): Progress {
  return screen.isTTY === true ? barOf(screen, totalBytes) : linesOf(screen, totalBytes);
}

function barOf(screen: NodeJS.WritableStream, totalBytes: number): Progress {
  const bar = new SingleBar(
    {
      stream: screen,
      format:
        '{bar} {percentage} % | imported {imported}, refused {refused} | {eta_formatted} left',
      // Ctrl-C ends an import, and must leave the cursor as it was.
      hideCursor: false,
    },
    Presets.shades_classic,
  );
  bar.start(totalBytes, 0, { imported: 0, refused: 0 });
  return {
    update: (bytes, counts) => bar.update(Math.min(bytes, totalBytes), counts),
    stop: () => bar.stop(),
  };
}

function linesOf(screen: NodeJS.WritableStream, totalBytes: number): Progress {
  let nextAt = Date.now() + LINE_INTERVAL_MS;
  return {
    update: (bytes, { imported, refused }) => {
      if (Date.now() < nextAt) return;
      nextAt = Date.now() + LINE_INTERVAL_MS;
      const percent = totalBytes === 0 ? 100 : Math.floor((bytes / totalBytes) * 100);
      screen.write(`${percent} %: imported ${imported}, refused ${refused}\n`);
    },
    stop: () => undefined,
  };
}
