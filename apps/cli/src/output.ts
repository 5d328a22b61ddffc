import type { Io } from './session';

/** Fields that hold pesos; all else that is a number is a rate or a count. */
const AMOUNT_FIELDS = new Set([
  'creditLimit',
  'minimumTransactionAmount',
  'valor',
  'totalAmount',
  'amountDue',
  'amountPaid',
  'paymentDefaultAmount',
  'used',
  'available',
  'overdueAmount',
  'creditBalance',
  'payoutsReserved',
  'recoveryDue',
]);
const GAP = '  ';

type Row = Record<string, unknown>;

/** Output of a command: results on stdout, everything else on stderr. */
export interface Output {
  readonly json: boolean;
  /** The result: as it is with --json, else as the text for a person. */
  result(value: unknown, text: () => string): void;
  /** One object: with --json as it is, else a field on each line. */
  record(value: object): void;
  /** Something a person should know; never on stdout. */
  note(text: string): void;
}

export function createOutput({ stdout, stderr }: Io, json: boolean): Output {
  const result: Output['result'] = (value, text) =>
    void stdout.write(`${json ? JSON.stringify(value) : text()}\n`);
  return {
    json,
    result,
    record: (value) => result(value, () => recordOf(value)),
    note: (text) => void stderr.write(`${text}\n`),
  };
}

/** Rows under their fields' names, numbers to the right. */
export function tableOf<Line extends object>(
  rows: ReadonlyArray<Partial<Line>>,
  fields: ReadonlyArray<keyof Line & string>,
): string {
  if (rows.length === 0) return 'none';
  const columns = fields.map((field) => {
    const cells = rows.map((row) => cellOf(field, row[field]));
    const width = Math.max(...[field, ...cells].map(lengthOf));
    const right = rows.some((row) => typeof row[field] === 'number');
    return [field, ...cells].map((cell) => padded(cell, width, right));
  });
  return [-1, ...rows.keys()]
    .map((at) => columns.map((column) => column[at + 1]).join(GAP))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** A field on each line. */
export function recordOf(record: object): string {
  const entries = Object.entries(record as Row);
  const width = Math.max(...entries.map(([field]) => field.length));
  return entries
    .map(([field, value]) => `${field.padEnd(width)}${GAP}${cellOf(field, value)}`)
    .join('\n');
}

/** Pesos as people write them: two decimals. */
export function amountText(pesos: number): string {
  return pesos.toFixed(2);
}

function cellOf(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'number' && AMOUNT_FIELDS.has(field)) return amountText(value);
  if (typeof value === 'string') return printable(value);
  return printable(JSON.stringify(value));
}

/** Names come from customers, so control characters are removed. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '·');
}

function padded(cell: string, width: number, right: boolean): string {
  const space = ' '.repeat(width - lengthOf(cell));
  return right ? space + cell : cell + space;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
