import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { InvariantCheck } from '@fiado/contracts/invariants';
import { SERVICES, type Service } from '@fiado/contracts/process-names';
import { UsageError } from '../errors';
import type { Io } from '../output';
import type { Cursors } from './corner-store-sums';

/** How often the file is written at most. */
const SAVE_EVERY_MS = 1_000;

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

const BAR_WIDTH = 24;
/** A terminal is written to ten times a second at most, any other stream every ten seconds. */
const REDRAW_MS = 100;
const LINE_MS = 10_000;
/** The digits of an id of version 7 that are its time. */
const TIME_DIGITS = 12;

/** Shows how far a run is, on stderr. */
export class Progress {
  private shownAt: number;

  constructor(
    private readonly stream: Io['stderr'],
    private readonly position: Position,
  ) {
    // A run that is quickly over shows nothing.
    this.shownAt = Date.now();
  }

  /** Shows the position, unless it was shown just now. */
  show(): void {
    const every = this.stream.isTTY === true ? REDRAW_MS : LINE_MS;
    if (Date.now() - this.shownAt < every) return;
    this.shownAt = Date.now();
    const text = textOf(this.position);
    this.stream.write(this.stream.isTTY === true ? `\r\u001B[K${text}` : `${text}\n`);
  }

  /** Removes the bar from a terminal. */
  clear(): void {
    if (this.stream.isTTY === true) this.stream.write('\r\u001B[K');
  }
}

function textOf({ services, comparison }: Position): string {
  const shares = SERVICES.map((name) => services[name].done);
  const done = [...shares, shareCompared(comparison.last)];
  const total = done.reduce((sum, share) => sum + share, 0) / done.length;
  const filled = Math.floor(total * BAR_WIDTH);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
  const rows = SERVICES.reduce((sum, name) => sum + services[name].rows, 0);
  const now =
    SERVICES.filter((name) => services[name].next !== null)
      .map((name) => `${name} ${percent(services[name].done)}`)
      .join(', ') || `${comparison.cornerStores} corner stores compared`;
  return `${bar} ${percent(total)}  ${rows} rows  ${now}`;
}

/** Ids of version 7 are in the order of their time; how far one is between the release and now. */
function shareCompared(last: string | undefined): number {
  if (last === undefined) return 0;
  const time = Number.parseInt(last.replace('-', '').slice(0, TIME_DIGITS), 16);
  return Math.min(1, time / Date.now());
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
