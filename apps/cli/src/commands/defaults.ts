import type { Command } from 'commander';
import type { OpenSession } from '../session';

/** fiado defaults detect. */
export function addDefaultCommands(program: Command, open: OpenSession): void {
  const defaults = program.command('defaults').description('detect overdue debts');

  defaults
    .command('detect')
    .description('detect overdue debts now instead of at the next hour')
    .option('--as-of <time>', 'detect as of this time; a future time works in a sandbox only')
    .addHelpText('after', '\nExample:\n  fiado defaults detect --as-of 2027-01-31T00:00:00Z')
    .action(async (body: { asOf?: string }, command: Command) => {
      const { ops, out } = await open(command);
      const answer = await ops.defaults.detect(body);
      out.result(answer, () => `opened ${answer.opened}`);
    });
}
