import { createSecretKey } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { decrypt, encrypt, KEY_ID_BYTES, type SealingKey } from '../keys/sealing';
import type { StoredExportRow } from './export.entity';

export type ExportValue = string | number | boolean | Date | null;

/** Amounts are numbers of pesos, times are dates. */
export type ExportRow = Record<string, ExportValue>;

/** The fields of a file in their order: the value of each in a row of the database. */
export type ExportFields<Row> = Record<string, (row: Row) => ExportValue>;

/** Fields that are properties of the row, by the same names. */
export function ownFields<Name extends string>(
  ...names: Name[]
): ExportFields<Record<Name, ExportValue>> {
  return Object.fromEntries(
    names.map((name) => [name, (row: Record<Name, ExportValue>) => row[name]]),
  );
}

export function exportRows<Row>(fields: ExportFields<Row>, rows: Row[]): ExportRow[] {
  const entries = Object.entries(fields);
  return rows.map((row) => {
    const values: ExportRow = {};
    for (const [name, valueOf] of entries) values[name] = valueOf(row);
    return values;
  });
}

/**
 * Rows as text of the file. In CSV a text that a spreadsheet would calculate (`=1+1`) begins with an
 * apostrophe; a number does not, so that a negative amount stays one.
 */
export function textOfRows(
  rows: ExportRow[],
  { format, columns }: { format: StoredExportRow['format']; columns: readonly string[] },
): string {
  if (format === 'jsonl') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return rows
    .map((row) => `${columns.map((name) => cellOf(row[name] ?? null)).join(',')}\n`)
    .join('');
}

/**
 * Needs neither quotes nor an apostrophe, as most ids, states, times and names. Written without csv-stringify, which
 * takes three times as long for them.
 */
const PLAIN = /^[\p{L}\d][\p{L}\d .:_-]*$/u;

function cellOf(value: ExportValue): string {
  if (value === null) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return typeof value === 'number' ? text : csvCell(text);
}

/** A text as a cell of CSV; a formula begins with an apostrophe. */
export function csvCell(text: string): string {
  if (text === '' || PLAIN.test(text)) return text;
  return stringify([[text]], { escape_formulas: true, eof: false });
}

/** Spreadsheets recognize UTF-8 by it. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** The beginning of a file: in CSV the names of the columns. */
export function beginningOfFile(
  format: StoredExportRow['format'],
  columns: readonly string[],
): string {
  return format === 'csv' ? `${BYTE_ORDER_MARK}${columns.join(',')}\n` : '';
}

/** A sealed part begins with the id of its key, and each export has only one. */
const ONLY_KEY = Buffer.alloc(KEY_ID_BYTES);

function keyOf(secret: Buffer): SealingKey {
  return { id: ONLY_KEY, key: createSecretKey(secret) };
}

/** A part cannot be taken for another one. */
function contextOf(exportId: string, number: number): string {
  return `export ${exportId} ${number}`;
}

export function sealPart(
  bytes: Buffer,
  { secret, exportId, number }: { secret: Buffer; exportId: string; number: number },
): Buffer {
  return encrypt(keyOf(secret), bytes, contextOf(exportId, number));
}

/** @throws Error when a byte differs or it is another part */
export function openPart(
  sealed: Buffer,
  { secret, exportId, number }: { secret: Buffer; exportId: string; number: number },
): Buffer {
  return decrypt(keyOf(secret), sealed, contextOf(exportId, number));
}
