import type { Command } from 'commander';
import { CommandFailed } from '../errors';
import type { OpenSession } from '../session';

/** fiado audit verify. */
export function addAuditCommands(program: Command, open: OpenSession): void {
  program
    .command('audit')
    .description('check the audit log')
    .command('verify')
    .description('check the chain of the audit log; names the first break')
    .addHelpText('after', '\nExample:\n  fiado audit verify')
    .action(async (_options: object, command: Command) => {
      const { ops, out } = await open(command);
      let links = 0;
      let cursor: string | undefined;
      for (;;) {
        const page = await ops.auditEntries.verify({ cursor });
        links = page.position ?? links;
        if (page.break !== null) {
          const { kind, position, auditEntryId, description } = page.break;
          out.result(page.break, () => `${kind} at ${position ?? auditEntryId}: ${description}`);
          throw new CommandFailed('the audit chain is broken');
        }
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      out.result({ links }, () => `The chain of ${links} entries holds`);
    });
}
