import type { Pages } from '@fiado/client';
import type { Command } from 'commander';
import { tableOf, type Output } from './output';

export interface PageOptions {
  cursor?: string;
  all?: boolean;
}

/** How a person sees the rows of a page. */
interface Layout<Page, Row> {
  rowsOf: (page: Page) => Row[];
  columns: ReadonlyArray<keyof Row & string>;
  /** The lines of the table that one row makes; by default the row itself. */
  linesOf?: (row: Row) => Array<Partial<Row>>;
}

/** The options of every list. */
export function withPages(command: Command): Command {
  return command
    .option('--cursor <cursor>', 'where the page begins: nextCursor of the page before')
    .option('--all', 'every page; with --json one row on each line');
}

/** Prints one page of a list, or every page as it comes, so that a list may have any length. */
export async function printPages<Page extends { nextCursor: string | null }, Row extends object>(
  out: Output,
  list: Pages<Page, Row>,
  { rowsOf, columns, linesOf = (row) => [row] }: Layout<Page, Row>,
  all = false,
): Promise<void> {
  for await (const page of list.pages()) {
    const rows = rowsOf(page);
    if (out.json && all) {
      for (const row of rows) out.result(row, String);
    } else {
      out.result(page, () => tableOf(rows.flatMap(linesOf), columns));
    }
    if (all) continue;
    if (page.nextCursor !== null) out.note(`more follow: --cursor ${page.nextCursor}, or --all`);
    return;
  }
}
