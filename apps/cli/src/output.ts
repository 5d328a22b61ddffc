import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Pages } from '@fiado/client';
import { CommandFailed } from './errors';

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
  'principal',
  'interests',
  'IVAAmount',
  'delivered',
  'credited',
  'collected',
  'collectedInterests',
  'writtenOff',
  'recovered',
  'cash',
  'reached',
  'unpaid',
  'received',
  'waiting',
  'unmatched',
  'reversed',
  'file',
]);
const GAP = '  ';

type Row = Record<string, unknown>;

/** The process around a command, so that tests can stand in for it. */
export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  env: Record<string, string | undefined>;
}

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

/**
 * Prints one page of a list, or every page as it comes, so that a list may have any length.
 * @param list.items the property of a page that has its rows
 * @param list.columns of the table; all fields without it
 * @param list.linesOf the lines of the table that a row makes
 */
export async function printPages<Page extends object, Item extends object>(
  out: Output,
  pages: Pages<Page, Item>,
  list: {
    all: boolean;
    items: string;
    columns?: string[] | undefined;
    linesOf?: (row: object) => object[];
    onPage?: (page: Page) => void;
  },
): Promise<void> {
  const { all, items, linesOf = (row) => [row], onPage } = list;
  for await (const page of pages.pages()) {
    const { [items]: rows = [], nextCursor } = page as Record<string, unknown>;
    onPage?.(page);
    if (out.json && all) {
      for (const row of rows as object[]) out.result(row, String);
    } else {
      const lines = (rows as object[]).flatMap(linesOf) as Row[];
      const columns = list.columns ?? Object.keys(lines[0] ?? {});
      out.result(page, () => tableOf<Row>(lines, columns));
    }
    if (all) continue;
    if (typeof nextCursor === 'string') {
      out.note(`more follow: --cursor ${nextCursor}, or --all`);
    }
    return;
  }
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

/**
 * Asks a person on stderr; only y or yes goes on.
 * @throws CommandFailed for any other answer, and where stdin is no terminal
 */
export async function confirm({ stdin, stderr }: Io, question: string): Promise<void> {
  if (stdin.isTTY !== true) {
    throw new CommandFailed(`${question} Nothing was changed: repeat the command with --yes`);
  }
  stderr.write(`${question} [y/N] `);
  const lines = createInterface({ input: stdin });
  const ended = new AbortController();
  const { signal } = ended;
  try {
    const [answer = ''] = (await Promise.race([
      once(lines, 'line', { signal }),
      once(lines, 'close', { signal }),
    ])) as string[];
    if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailed('nothing was changed');
  } finally {
    ended.abort();
    lines.close();
  }
}

/** Prints the answer to a change, which may wait for a second person. */
export function printChange(out: Output, answer: object): void {
  out.record(answer);
  if ('changeRequestId' in answer) {
    out.note(
      `\nIt waits for a second person. Why: fiado change-requests show ${String(answer.changeRequestId)}`,
    );
  }
}

/**
 * Prints an answer that holds a new key, secret or link, or tells how to get it once a second person has
 * approved. @param secrets what it is called; an invitation is for who approved it
 */
export function printSecret(out: Output, answer: object, secrets: string[]): void {
  out.record(answer);
  if ('changeRequestId' in answer) {
    const isInvitation = secrets.includes('invitationLink');
    const who = isInvitation ? 'Who has approved it runs' : 'Once it is approved';
    out.note(
      `\nIt waits for a second person. ${who}: ` +
        `fiado change-requests collect ${String(answer.changeRequestId)}`,
    );
  } else if ('invitationLink' in answer) {
    out.note('\nThe invitationLink above is shown this once: give it to this person only.');
  } else if ('signingSecret' in answer && !('apiKey' in answer)) {
    out.note('\nThe signingSecret above is shown this once: put it in a safe place now.');
  } else {
    out.note('\nThe apiKey above is shown this once and kept nowhere: put it in a safe place now.');
  }
}
