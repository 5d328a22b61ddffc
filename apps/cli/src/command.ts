import { Command, type CommandOptions } from 'commander';
import type { Pages } from '@fiado/client';
import { tableOf, type Io, type Output } from './output';
import { openSession, type Patience, type Session } from './session';

/** Options of every list. */
export interface PageOptions {
  cursor?: string;
}

/** A command whose help has examples, and whose work gets an open session. */
export class CliCommand extends Command {
  constructor(
    readonly io: Io,
    name?: string,
  ) {
    super(name);
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(this.io, name);
  }

  /** A subcommand that prints a list. */
  list(name: string, options?: CommandOptions): CliCommand {
    return this.command(name, options)
      .option('--cursor <cursor>', 'where the page begins: nextCursor of the page before')
      .option('--all', 'every page; with --json one row on each line');
  }

  /** Command lines at the end of the help. */
  example(...lines: string[]): this {
    const title = lines.length === 1 ? 'Example' : 'Examples';
    return this.addHelpText(
      'after',
      ['', `${title}:`, ...lines.map((one) => `  ${one}`)].join('\n'),
    );
  }

  /** @param run gets the arguments of the command line, then its options */
  work(
    run: (session: Session, ...given: never[]) => Promise<void> | void,
    patience?: Patience,
  ): this {
    return this.action(async (...given: unknown[]) => {
      const session = await openSession(this.io, this.optsWithGlobals(), patience);
      // commander adds the command itself at the end.
      await run(session, ...(given.slice(0, -1) as never[]));
    });
  }

  /**
   * As `work`: prints one page of a list, or every page as it comes, so that a list may have any length.
   * @param pagesOf gets the arguments, then the options: the cursor is one of them, --all is not
   * @param linesOf the lines of the table that a row makes; by default the row itself
   */
  pages<Page extends { nextCursor: string | null }, Row extends object>(
    pagesOf: (session: Session, ...given: never[]) => Pages<Page, Row>,
    rowsOf: (page: Page, out: Output) => Row[],
    columns: ReadonlyArray<keyof Row & string>,
    linesOf = (row: Row, _options: object): Array<Partial<Row>> => [row],
  ): this {
    return this.work(async (session, ...given) => {
      const { out } = session;
      const { all = false, ...query } = this.opts<{ all?: boolean }>();
      const asked = [...given.slice(0, -1), query] as never[];
      for await (const page of pagesOf(session, ...asked).pages()) {
        const rows = rowsOf(page, out);
        if (out.json && all) {
          for (const row of rows) out.result(row, String);
        } else {
          const lines = rows.flatMap((row) => linesOf(row, query));
          out.result(page, () => tableOf(lines, columns));
        }
        if (all) continue;
        const { nextCursor } = page;
        if (nextCursor !== null) out.note(`more follow: --cursor ${nextCursor}, or --all`);
        return;
      }
    });
  }
}
