import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { InvariantCheck } from '@fiado/contracts/invariants';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import { UsageError } from '../errors';
import type { Cursors } from './corner-store-sums';

/** How far a service is checked. */
interface ServicePosition {
  /** Where its next range begins; undefined is the first one, null the end. */
  next: string | null | undefined;
  rows: number;
  /** From 0 to 1. */
  done: number;
  checks: InvariantCheck[];
}

/** Stores that differ, by check, with their last values. */
export interface Suspect {
  cornerStoreId: string;
  cursors: Cursors;
  differences: Array<[check: string, difference: object]>;
}

/** How far the services are compared. */
interface ComparisonPosition {
  cursors: Cursors;
  /** The last corner store that was compared. */
  last: string | undefined;
  cornerStores: number;
  suspects: Suspect[];
}

/** How far a run is, so that another one can go on: as JSON in a file. */
export interface Position {
  /** ISO 8601; undefined: everything is checked. */
  since: string | undefined;
  services: Record<Service, ServicePosition>;
  comparison: ComparisonPosition;
}

export function beginning(since: string | undefined): Position {
  const service = (): ServicePosition => ({ next: undefined, rows: 0, done: 0, checks: [] });
  return {
    since,
    services: Object.fromEntries(SERVICES.map((name) => [name, service()])) as Position['services'],
    comparison: {
      cursors: { accounts: undefined, transactions: undefined, payments: undefined },
      last: undefined,
      cornerStores: 0,
      suspects: [],
    },
  };
}

/** How often the file is written at most. */
const SAVE_EVERY_MS = 1_000;

/** Keeps the position of a run in a file. */
export interface PositionFile {
  /** Writes it, unless it was written just now. */
  save(): Promise<void>;
  /** Writes it now. */
  flush(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * The position in a file, or the beginning where there is none.
 * @param file undefined: nothing is kept
 * @throws UsageError for a file that is something else
 */
export async function openPosition(
  file: string | undefined,
  since: string | undefined,
): Promise<{ position: Position; kept: PositionFile }> {
  const nothing = (): Promise<void> => Promise.resolve();
  if (file === undefined) {
    return { position: beginning(since), kept: { save: nothing, flush: nothing, remove: nothing } };
  }
  const position = (await readPosition(file)) ?? beginning(since);
  let savedAt = Date.now();
  let writing = Promise.resolve();
  const flush = (): Promise<void> => {
    savedAt = Date.now();
    // One after the other, and complete before it replaces the last one.
    writing = writing.then(async () => {
      await writeFile(`${file}.new`, JSON.stringify(position));
      await rename(`${file}.new`, file);
    });
    return writing;
  };
  return {
    position,
    kept: {
      flush,
      save: () => (Date.now() - savedAt < SAVE_EVERY_MS ? nothing() : flush()),
      remove: async () => {
        await writing;
        await rm(file, { force: true });
      },
    },
  };
}

async function readPosition(file: string): Promise<Position | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UsageError(`cannot read ${file}: ${error.message}`);
  });
  if (text === undefined) return undefined;
  try {
    const read = JSON.parse(text) as Partial<Position> | null;
    if (
      SERVICES.every((name) => read?.services?.[name]) &&
      Array.isArray(read?.comparison?.suspects)
    )
      return read as Position;
  } catch {
    // Reported below.
  }
  throw new UsageError(`${file} is not the position of a verify`);
}
