import type { Command } from 'commander';
import { SERVICES } from '@fiado/contracts/process-names';
import { pathPart } from '../arguments';
import { UsageError } from '../errors';
import type { QueryOf, Schema } from '@fiado/ops-client/operations';
import { tableOf } from '../output';
import { printPages, withPages, type PageOptions } from '../pages';
import type { OpenSession } from '../session';

const COLUMNS = [
  'jobId',
  'queue',
  'type',
  'state',
  'attempts',
  'failedReason',
  'createdAt',
  'failedAt',
] as const;

type Query = QueryOf<'listJobs'>;

interface ListOptions extends PageOptions {
  queue?: Query['queue'];
  state?: Query['state'];
}

interface RetryOptions {
  all?: boolean;
  type?: string;
}

/** What one call retries at most, by the document of the API. */
const MAX_RETRIED = 1_000;

const RETRY_EXAMPLES = `
Examples:
  fiado jobs retry notifier 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21
  fiado jobs retry transactions --all --type payment.applied
  fiado jobs retry --all`;

/** fiado jobs list | retry. */
export function addJobCommands(program: Command, open: OpenSession): void {
  const jobs = program.command('jobs').description('list and retry jobs');

  withPages(jobs.command('list'))
    .description('list jobs by state')
    .option('--queue <queue>', 'accounts, transactions, payments or notifier')
    .option('--state <state>', 'failed (the default), waiting, active, delayed or completed')
    .addHelpText('after', '\nExample:\n  fiado jobs list --queue notifier --state failed')
    .action(async ({ queue, state, cursor, all }: ListOptions, command: Command) => {
      const { ops, out } = await open(command);
      const list = ops.jobs.list({ queue, state, cursor });
      await printPages(out, list, { rowsOf: (page) => page.jobs, columns: COLUMNS }, all);
    });

  jobs
    .command('retry')
    .description('retry a failed job, or all failed jobs with --all')
    .argument('[queue]', 'queue; optional with --all', pathPart)
    .argument('[jobId]', '', pathPart)
    .option('--all', 'all failed jobs, of one queue or of every queue')
    .option('--type <type>', 'with --all: only jobs of this type, such as payment.applied')
    .addHelpText('after', RETRY_EXAMPLES)
    .action(async (queue: string | undefined, jobId: string | undefined, ...rest) => {
      const [options, command] = rest as [RetryOptions, Command];
      if (options.all === true) return retryAll({ queue, jobId, ...options }, command, open);
      if (queue === undefined || jobId === undefined || options.type !== undefined) {
        throw new UsageError('Name a queue and a job, or use --all.');
      }
      const { ops, out } = await open(command);
      out.record(await ops.jobs.retry(queue, jobId));
    });
}

async function retryAll(
  { queue, jobId, type }: RetryOptions & { queue: string | undefined; jobId: string | undefined },
  command: Command,
  open: OpenSession,
): Promise<void> {
  if (jobId !== undefined) throw new UsageError('--all cannot be combined with a job id.');
  const { ops, out } = await open(command);
  const body = type === undefined ? {} : { type };
  const answers: Array<Schema<'RetriedJobs'> & { queue: string }> = [];
  for (const name of queue === undefined ? SERVICES : [queue]) {
    const { retried } = await ops.jobs.retryAll(name, body);
    answers.push({ queue: name, retried });
  }
  out.result(answers, () => tableOf(answers, ['queue', 'retried']));
  if (answers.some(({ retried }) => retried >= MAX_RETRIED)) {
    out.note('More jobs may have failed: run the command again.');
  }
}
