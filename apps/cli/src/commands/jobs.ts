import { SERVICES } from '@fiado/contracts/process-names';
import type { Schema } from '@fiado/ops-client/operations';
import { pathPart } from '../arguments';
import type { CliCommand } from '../command';
import { UsageError } from '../errors';
import { nounOf } from '../operation-commands';
import { tableOf } from '../output';
import type { Session } from '../session';

interface RetryOptions {
  all?: boolean;
  type?: string;
}

/** What one call retries at most, by the document of the API. */
const MAX_RETRIED = 1_000;

/** fiado jobs retry. */
export function addRetryCommand(program: CliCommand): void {
  nounOf(program, 'jobs')
    .command('retry')
    .description('retry a failed job, or all failed jobs with --all')
    .argument('[queue]', 'queue; optional with --all', pathPart)
    .argument('[jobId]', '', pathPart)
    .option('--all', 'all failed jobs, of one queue or of every queue')
    .option('--type <type>', 'with --all: only jobs of this type, such as payment.applied')
    .example(
      'fiado jobs retry notifier 7e0d9c0a-94a2-4e6f-8d31-3f0f5f0d6b21',
      'fiado jobs retry transactions --all --type payment.applied',
      'fiado jobs retry --all',
    )
    .work(
      (session, queue: string | undefined, jobId: string | undefined, options: RetryOptions) => {
        const { all = false, type } = options;
        if (all && jobId !== undefined) {
          throw new UsageError('--all cannot be combined with a job id.');
        }
        if (all) return retryAll(session, queue, type);
        if (queue === undefined || jobId === undefined || type !== undefined) {
          throw new UsageError('Name a queue and a job, or use --all.');
        }
        return session.ops.jobs.retry(queue, jobId).then((job) => session.out.record(job));
      },
    );
}

async function retryAll({ ops, out }: Session, queue?: string, type?: string): Promise<void> {
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
