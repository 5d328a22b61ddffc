import { open } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { UsageError } from '../errors';
import { printable } from '../output';
import { CUSTOMER_COLUMNS } from './customer-rows';

/** Refused rows named on the screen when no file takes them. */
const MAX_SAID = 20;
/** Names and phones of people: for the owner of the file only. */
const FILE_MODE = 0o600;

interface RefusedRow {
  line: number;
  cells: string[];
}

/** Where the rows at fault go. */
export interface RefusedRows {
  count(): number;
  add(row: RefusedRow, reason: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * A CSV file of refused rows: their line, their cells as they were, the reason.
 * @throws UsageError when it cannot be written
 */
export async function refusedRowsInFile(path: string): Promise<RefusedRows> {
  const file = await open(path, 'w', FILE_MODE).catch((error: unknown) => {
    throw new UsageError(`the refused file cannot be written: ${String(error)}`);
  });
  let count = 0;
  // One row after the other, though batches refuse theirs at the same time.
  let written: Promise<unknown> = Promise.resolve();
  const write = async (cells: unknown[]) => {
    written = written.then(() => file.write(stringify([cells])));
    await written;
  };
  await write(['line', ...CUSTOMER_COLUMNS, 'reason']);
  return {
    count: () => count,
    add: async ({ line, cells }, reason) => {
      count += 1;
      await write([line, ...cells, reason]);
    },
    close: () => file.close(),
  };
}

/** Names the first refused rows by their line, never by what is in them. */
export function refusedRowsOnScreen(screen: NodeJS.WritableStream): RefusedRows {
  let count = 0;
  return {
    count: () => count,
    add: (row, reason) => {
      count += 1;
      if (count <= MAX_SAID) screen.write(`line ${row.line}: ${printable(reason)}\n`);
      if (count === MAX_SAID + 1) screen.write('more rows are refused: --refused FILE keeps all\n');
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
