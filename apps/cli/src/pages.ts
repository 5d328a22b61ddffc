import type { Command } from 'commander';
import type { ApiRequest } from './api';
import { tableOf, type Row } from './output';
import type { Session } from './session';

export interface PageOptions {
  cursor?: string;
  all?: boolean;
}

/** A list of the API: where it is, and which fields of its rows a person wants to see. */
export interface Listing {
  path: string;
  query: NonNullable<ApiRequest['query']>;
  /** The field of the answer that holds the rows. */
  field: string;
  columns?: string[];
  /** The lines of the table that one row of the answer makes; by default the row itself. */
  linesOf?: (row: Row) => Row[];
}

/** The options of every list. */
export function withPages(command: Command): Command {
  return command
    .option('--cursor <cursor>', 'where the page begins: nextCursor of the page before')
    .option('--all', 'every page; with --json one row on each line');
}

/** Prints one page of a list, or every page as it comes, so that a list may have any length. */
export async function printPages(
  { api, out }: Session,
  { path, query, field, columns, linesOf = (row) => [row] }: Listing,
  { cursor, all = false }: PageOptions,
): Promise<void> {
  let next = cursor;
  for (;;) {
    const page = await api.call<Row>('GET', path, { query: { ...query, cursor: next } });
    const rows = (page[field] ?? []) as Row[];
    if (out.json && all) {
      for (const row of rows) out.result(row, String);
    } else {
      out.result(page, () => tableOf(rows.flatMap(linesOf), columns ?? plainFieldsOf(rows)));
    }

    const { nextCursor } = page;
    if (typeof nextCursor !== 'string') return;
    if (!all) {
      out.note(`more follow: --cursor ${nextCursor}, or --all`);
      return;
    }
    next = nextCursor;
  }
}

/** The fields that fit in a table, where the rows' shape is the service's to decide. */
function plainFieldsOf(rows: Row[]): string[] {
  const fields = rows.flatMap((row) =>
    Object.entries(row)
      .filter(([, value]) => typeof value !== 'object' || value === null)
      .map(([field]) => field),
  );
  return [...new Set(fields)];
}
