import type { Command } from 'commander';
import { id } from '../arguments';
import { printPages, withPages, type PageOptions } from '../pages';
import type { QueryOf } from '@fiado/ops-client/operations';
import { printSecret } from '../print-secret';
import type { OpenSession } from '../session';

const COLUMNS = [
  'changeRequestId',
  'kind',
  'targetId',
  'status',
  'requestedBy',
  'requestedAt',
  'decidedBy',
] as const;

/** fiado change-requests list | show | approve | reject | collect. */
export function addChangeRequestCommands(program: Command, open: OpenSession): void {
  const requests = program
    .command('change-requests')
    .description('changes that wait for a second person');

  withPages(requests.command('list'))
    .description('list change requests, newest first')
    .option('--status <status>', 'pending, approved, rejected, expired, executed or failed')
    .addHelpText('after', '\nExample:\n  fiado change-requests list --status pending')
    .action(
      async (
        { cursor, all, status }: PageOptions & Pick<QueryOf<'listChangeRequests'>, 'status'>,
        command: Command,
      ) => {
        const { ops, out } = await open(command);
        const list = ops.changeRequests.list({ cursor, status });
        await printPages(
          out,
          list,
          { rowsOf: (page) => page.changeRequests, columns: COLUMNS },
          all,
        );
      },
    );

  requests
    .command('show')
    .description('show a change request with the old and the new values, and why it waits')
    .argument('<changeRequestId>', '', id)
    .addHelpText('after', exampleOf('show'))
    .action(async (changeRequestId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.changeRequests.get(changeRequestId));
    });
  addDecisions(requests, open);
}

function addDecisions(requests: Command, open: OpenSession): void {
  requests
    .command('approve')
    .description('approve a change that somebody else asked for; needs the credential of a person')
    .argument('<changeRequestId>', '', id)
    .option('--reason <text>', 'why it is approved')
    .addHelpText('after', exampleOf('approve'))
    .action(async (changeRequestId: string, body: { reason?: string }, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.changeRequests.approve(changeRequestId, body));
    });

  requests
    .command('reject')
    .description('reject a change that somebody else asked for; needs the credential of a person')
    .argument('<changeRequestId>', '', id)
    .requiredOption('--reason <text>', 'why it is rejected')
    .addHelpText('after', exampleOf('reject', '--reason "too high"'))
    .action(async (changeRequestId: string, body: { reason: string }, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.changeRequests.reject(changeRequestId, body));
    });

  requests
    .command('collect')
    .description('make an approved key, secret or invitation; only who asked for it can, once')
    .argument('<changeRequestId>', '', id)
    .addHelpText('after', exampleOf('collect'))
    .action(async (changeRequestId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      printSecret(out, await ops.changeRequests.collect(changeRequestId));
    });
}

function exampleOf(verb: string, options = ''): string {
  const id = '0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34';
  return `\nExample:\n  fiado change-requests ${verb} ${id} ${options}`.trimEnd();
}
