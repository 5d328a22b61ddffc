import type { QueryOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand } from '../command';
import { printSecret } from '../output';

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
export function addChangeRequestCommands(program: CliCommand): void {
  const requests = program
    .command('change-requests')
    .description('changes that wait for a second person');

  requests
    .list('list')
    .description('list change requests, newest first')
    .option('--status <status>', 'pending, approved, rejected, expired, executed or failed')
    .example('fiado change-requests list --status pending')
    .pages(
      ({ ops }, query: QueryOf<'listChangeRequests'>) => ops.changeRequests.list(query),
      (page) => page.changeRequests,
      COLUMNS,
    );

  requests
    .command('show')
    .description('show a change request with the old and the new values, and why it waits')
    .argument('<changeRequestId>', '', id)
    .example('fiado change-requests show 0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34')
    .work(async ({ ops, out }, changeRequestId: string) =>
      out.record(await ops.changeRequests.get(changeRequestId)),
    );
  addDecisions(requests);
}

function addDecisions(requests: CliCommand): void {
  requests
    .command('approve')
    .description('approve a change that somebody else asked for; needs the credential of a person')
    .argument('<changeRequestId>', '', id)
    .option('--reason <text>', 'why it is approved')
    .example('fiado change-requests approve 0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34')
    .work(async ({ ops, out }, changeRequestId: string, body: { reason?: string }) =>
      out.record(await ops.changeRequests.approve(changeRequestId, body)),
    );

  requests
    .command('reject')
    .description('reject a change that somebody else asked for; needs the credential of a person')
    .argument('<changeRequestId>', '', id)
    .requiredOption('--reason <text>', 'why it is rejected')
    .example(
      'fiado change-requests reject 0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34 --reason "too high"',
    )
    .work(async ({ ops, out }, changeRequestId: string, body: { reason: string }) =>
      out.record(await ops.changeRequests.reject(changeRequestId, body)),
    );

  requests
    .command('collect')
    .description(
      'make an approved key or secret that you asked for, or an invitation that you approved, once',
    )
    .argument('<changeRequestId>', '', id)
    .example('fiado change-requests collect 0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34')
    .work(async ({ ops, out }, changeRequestId: string) =>
      printSecret(out, await ops.changeRequests.collect(changeRequestId)),
    );
}
