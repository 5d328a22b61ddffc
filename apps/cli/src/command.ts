import { Command } from 'commander';
import type { Io } from './output';
import { openSession, type Patience, type Session } from './session';

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
}
