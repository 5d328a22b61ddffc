import type { Command } from 'commander';
import { pathPart } from '../arguments';
import { recordOf } from '../output';
import { printPages, withPages, type PageOptions } from '../pages';
import type { OpenSession } from '../session';

interface Options extends PageOptions {
  queue?: string;
  state?: string;
}

/** fiado jobs list | retry. */
export function addJobCommands(program: Command, open: OpenSession): void {
  const jobs = program.command('jobs').description('work between the services');

  withPages(jobs.command('list'))
    .description('lists jobs that failed or wait')
    .option('--queue <queue>', 'accounts, transactions, payments or notifier')
    .option('--state <state>', 'failed (the default), waiting, active, delayed or completed')
    .addHelpText('after', '\nExample:\n  fiado jobs list --queue notifier --state failed')
    .action(async ({ queue, state, ...pages }: Options, command: Command) => {
      const listing = { path: '/jobs', query: { queue, state }, field: 'jobs' };
      await printPages(await open(command), listing, pages);
    });

  jobs
    .command('retry')
    .description('lets a failed job run again')
    .argument('<queue>', '', pathPart)
    .argument('<jobId>', '', pathPart)
    .addHelpText(
      'after',
      '\nExample:\n  fiado jobs retry notifier 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21',
    )
    .action(async (queue: string, jobId: string, _options: object, command: Command) => {
      const { api, out } = await open(command);
      const job = await api.call<object | undefined>('POST', `/jobs/${queue}/${jobId}/retry`);
      const answer = job ?? { queue, jobId };
      out.result(answer, () => recordOf(answer));
    });
}
