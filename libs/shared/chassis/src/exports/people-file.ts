import { customerNamesCall } from '@fiado/contracts/customer-names';
import { centsOf } from '@fiado/contracts/money';
import type { InternalClient } from '../clients/internal-client';
import { BYTE_ORDER_MARK, csvCell, type ExportRow, type ExportValue } from './part';

/** A column of a file for people. */
export interface PeopleColumn {
  /** The field of the row. */
  field: string;
  /** In Spanish. */
  heading: string;
  /** A text without one. A time is a moment; a day is a moment of it, or such as 2026-11-23. */
  kind?: 'amount' | 'time' | 'day';
  /** Spanish words for the values that it has; others stay as they are. */
  words?: Record<string, string>;
}

/** A file that an accountant opens in a spreadsheet: Spanish headings, names first, sums at the end. */
export interface PeopleFile {
  /** Such as pedidos. */
  name: string;
  columns: readonly PeopleColumn[];
  /** A column: its values have sums of their own. */
  sumsBy?: PeopleColumn;
}

/** Columns of one kind: their headings, by field. */
export function fileColumns(
  headings: Record<string, string>,
  kind?: NonNullable<PeopleColumn['kind']>,
): PeopleColumn[] {
  return Object.entries(headings).map(([field, heading]) => ({
    field,
    heading,
    ...(kind !== undefined && { kind }),
  }));
}

/** Columns that several files have. Their fields are those of `withNames`. */
export const WHOLESALER_COLUMN: PeopleColumn = { field: 'wholesalerName', heading: 'Mayorista' };
export const CUSTOMER_COLUMNS = fileColumns({ customerKey: 'Cliente', storeName: 'Tienda' });

/** The parts of an amount, which have one meaning in each file: docs/guides/accountant-lender.md. */
export function amountColumns(principal: string, total: string): PeopleColumn[] {
  const headings = { [principal]: 'Principal', interests: 'Interés', IVAAmount: 'IVA' };
  return fileColumns({ ...headings, [total]: 'Total' }, 'amount');
}

/**
 * Adds the names of a page of rows: of the wholesaler, of the store, and the wholesaler's own id of it. Those of a
 * blocked store are left out.
 * @throws AppError SERVICE_UNAVAILABLE when accounts does not answer
 */
export async function withNames(
  { accounts }: { accounts: InternalClient },
  rows: ExportRow[],
): Promise<ExportRow[]> {
  const { cornerStores, customers, wholesalers } = await accounts.ask(customerNamesCall, {
    cornerStoreIds: idsOf(rows, 'cornerStoreId'),
    wholesalerIds: idsOf(rows, 'wholesalerId'),
  });
  const keys = new Map(
    customers.map(({ wholesalerId, cornerStoreId, externalId }) => [
      `${wholesalerId} ${cornerStoreId}`,
      externalId,
    ]),
  );
  return rows.map((row) => {
    const [wholesalerId, cornerStoreId] = [String(row.wholesalerId), String(row.cornerStoreId)];
    return {
      ...row,
      wholesalerName: wholesalers[wholesalerId] ?? null,
      customerKey: keys.get(`${wholesalerId} ${cornerStoreId}`) ?? null,
      storeName: cornerStores[cornerStoreId] ?? null,
    };
  });
}

function idsOf(rows: ExportRow[], field: string): string[] {
  return [...new Set(rows.map((row) => row[field]))].filter((id) => typeof id === 'string');
}

/** The number of rows so far and the sums of their amounts in cents, by field: of all rows, and of each group. */
export interface PeopleTotals {
  all: Sums;
  groups: Record<string, Sums>;
}

interface Sums {
  rows: number;
  cents: Record<string, number>;
}

const noSums = (): Sums => ({ rows: 0, cents: {} });

export const NO_TOTALS: PeopleTotals = { all: noSums(), groups: {} };

/** Totals with these rows added. */
export function addedTotals(
  before: PeopleTotals,
  { columns, sumsBy }: Omit<PeopleFile, 'name'>,
  rows: ExportRow[],
): PeopleTotals {
  const totals = structuredClone(before);
  for (const row of rows) {
    const counted = [totals.all];
    if (sumsBy !== undefined) {
      counted.push((totals.groups[wordOf(row[sumsBy.field], sumsBy)] ??= noSums()));
    }
    for (const sums of counted) {
      sums.rows += 1;
      for (const { field, kind } of columns) {
        const amount = row[field];
        if (kind !== 'amount' || typeof amount !== 'number') continue;
        sums.cents[field] = (sums.cents[field] ?? 0) + centsOf(amount);
      }
    }
  }
  return totals;
}

/** A name and a value below the sums: a text, a moment, or an amount in pesos. */
export type PeopleFact = [name: string, value: string | Date | number];

/** Writes a file for people, of which each part is a text. */
export interface PeopleWriter {
  beginning: () => string;
  rows: (rows: ExportRow[]) => string;
  /** @param facts stand below the sums */
  end: (totals: PeopleTotals, facts: PeopleFact[]) => string;
}

/** @param timeZone of times and days */
export function peopleWriter(
  { columns }: Pick<PeopleFile, 'columns'>,
  timeZone: string,
): PeopleWriter {
  // Its form is 2026-11-23 13:52, which a spreadsheet in any language takes for a time.
  const time = new Intl.DateTimeFormat('sv-SE', {
    ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
    ...({ hour: '2-digit', minute: '2-digit' } as const),
    timeZone,
  });
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const cell = (value: ExportValue | undefined, column: PeopleColumn): string => {
    if (value === null || value === undefined) return '';
    if (column.kind === 'amount') return Number(value).toFixed(2);
    if (column.kind === 'time') return time.format(momentOf(value));
    if (column.kind === 'day') return value instanceof Date ? day.format(value) : String(value);
    return textCell(wordOf(value, column));
  };
  const factCell = (value: PeopleFact[1]): string => {
    if (typeof value === 'number') return value.toFixed(2);
    return value instanceof Date ? time.format(value) : textCell(value);
  };
  const sumsRow = (label: string, { rows, cents }: Sums): string =>
    lineOf(
      columns.map(({ field, kind }, index) => {
        if (index === 0) return textCell(label);
        if (index === 1) return rows === 1 ? '1 renglón' : `${rows} renglones`;
        return kind === 'amount' ? ((cents[field] ?? 0) / 100).toFixed(2) : '';
      }),
    );
  return {
    beginning: () => BYTE_ORDER_MARK + lineOf(columns.map(({ heading }) => heading)),
    rows: (rows) =>
      rows.map((row) => lineOf(columns.map((column) => cell(row[column.field], column)))).join(''),
    end: ({ all, groups }, facts) =>
      [
        '\n',
        ...Object.keys(groups)
          .toSorted()
          .map((group) => sumsRow(`Total: ${group}`, groups[group] ?? noSums())),
        sumsRow('Total', all),
        '\n',
        ...facts.map(([name, value]) => lineOf([textCell(name), factCell(value)])),
      ].join(''),
  };
}

const momentOf = (value: ExportValue): Date =>
  value instanceof Date ? value : new Date(String(value));

const lineOf = (cells: string[]): string => `${cells.join(',')}\n`;

function wordOf(value: ExportValue | undefined, { words }: PeopleColumn): string {
  const text = String(value ?? '');
  return words?.[text] ?? text;
}

const MONTH = '(?:ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic|jan|apr|aug|dec)';

/** A text that a spreadsheet takes for a number, a date or a time: 007, 1-2, 3E5, 830274915602 and MAR-2. */
const CALCULATED = new RegExp(
  String.raw`^(?:[\s$(+-]*[\d.,][\d\s.,:/$()%+e-]*|${MONTH}[\s./-]?\d+|\d+[\s./-]?${MONTH}.?\d*)$`,
  'i',
);

/** A whole number that a spreadsheet shows as it is written. */
const SHORT_NUMBER = /^(?:0|[1-9]\d{0,10})$/;

/** A text that a spreadsheet would change begins with an apostrophe, as a formula does. */
function textCell(text: string): string {
  return csvCell(CALCULATED.test(text) && !SHORT_NUMBER.test(text) ? `'${text}` : text);
}
