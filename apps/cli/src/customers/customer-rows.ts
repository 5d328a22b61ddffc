import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Schema } from '@fiado/ops-client/operations';
import { CommandFailed, UsageError } from '../errors';

/** Customers of one request: what the API takes at most. */
const MAX_ROWS = 1000;

/** Bytes of one request, below the 2 MB that the API takes: long names in 1000 rows pass it. */
const MAX_BYTES = 1_900_000;

export const CUSTOMER_COLUMNS = [
  'externalId',
  'firstName',
  'lastNames',
  'phoneNumber',
  'creditLimit',
  'interestRate',
] as const;

/** Characters of one row. A quote that is never closed would otherwise swallow the file. */
const MAX_ROW_LENGTH = 64 * 1024;

/** A row of the file: its customer, or why it cannot be sent. */
export interface CustomerRow {
  /** Its last line in the file, from 1. */
  line: number;
  /** The six cells in the order of CUSTOMER_COLUMNS, as they were read. */
  cells: string[];
  outcome: { customer: Schema<'CustomerBody'> } | { problem: string };
}

interface ParsedRow {
  info: { lines: number };
  record: string[];
}

/**
 * Reads the rows of a CSV file, a chunk at a time.
 * @throws UsageError when the header misses a column; CommandFailed where the file stops being CSV
 */
export async function* readCustomerRows(source: Readable): AsyncGenerator<CustomerRow> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: MAX_ROW_LENGTH,
  });
  source.on('error', (error) => parser.destroy(error));
  let places: number[] | undefined;
  let width = 0;
  try {
    for await (const { info, record } of source.pipe(parser) as AsyncIterable<ParsedRow>) {
      if (places === undefined) {
        places = placesOf(record);
        width = record.length;
        continue;
      }
      const cells = places.map((place) => record[place] ?? '');
      const outcome =
        record.length === width
          ? outcomeOf(cells)
          : { problem: `has ${record.length} columns instead of ${width}` };
      yield { line: info.lines, cells, outcome };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandFailed(`the file is not CSV any more: ${error.message}`);
  } finally {
    source.destroy();
  }
  if (places === undefined) throw new UsageError('the file is empty');
}

/**
 * Positions of our columns; other columns, such as those of a file of refused rows, are ignored.
 */
function placesOf(header: string[]): number[] {
  const missing = CUSTOMER_COLUMNS.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new UsageError(`the first line of the file must name ${missing.join(', ')}`);
  }
  const repeated = CUSTOMER_COLUMNS.filter(
    (column) => header.indexOf(column) !== header.lastIndexOf(column),
  );
  if (repeated.length > 0) {
    throw new UsageError(`the first line of the file names ${repeated.join(', ')} twice`);
  }
  return CUSTOMER_COLUMNS.map((column) => header.indexOf(column));
}

function outcomeOf(cells: string[]): CustomerRow['outcome'] {
  const [externalId = '', firstName = '', lastNames = '', phoneNumber = ''] = cells;
  const [creditLimit, interestRate] = cells.slice(4).map(numberIn);
  if (THREE_DECIMALS.test(cells[4] ?? '')) {
    return { problem: 'creditLimit is ambiguous: write 10000 or 10.00' };
  }
  if (cells.some((cell) => cell.includes('\uFFFD'))) return { problem: 'is not UTF-8' };
  if (creditLimit === undefined) {
    return { problem: 'creditLimit must be a plain number such as 10000.50' };
  }
  if (interestRate === undefined || interestRate > 1) {
    return { problem: 'interestRate must be a rate from 0 to 1, such as 0.05' };
  }
  const customer = { externalId, firstName, lastNames, phoneNumber, creditLimit, interestRate };
  return { customer };
}

/** 10.000 is ten thousand to some people, and ten to others. */
const THREE_DECIMALS = /\.\d{3,}$/;

function numberIn(cell: string): number | undefined {
  return /^\d{1,15}(\.\d{1,15})?$/.test(cell) ? Number(cell) : undefined;
}

/** A row that can be sent. */
export interface SendableRow {
  line: number;
  cells: string[];
  customer: Schema<'CustomerBody'>;
}

/** Groups rows into requests; `refuse` gets those that cannot be sent. */
export async function* batchesOf(
  rows: AsyncIterable<CustomerRow>,
  refuse: (row: CustomerRow, reason: string) => Promise<void>,
): AsyncGenerator<SendableRow[]> {
  let batch: SendableRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    if ('problem' in row.outcome) {
      await refuse(row, row.outcome.problem);
      continue;
    }
    const { line, cells, outcome } = row;
    const size = Buffer.byteLength(JSON.stringify(outcome.customer)) + 1;
    if (batch.length === MAX_ROWS || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ line, cells, customer: outcome.customer });
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
