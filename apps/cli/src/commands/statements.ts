import { STATEMENTS_TIMEOUT_MS } from '@fiado/contracts/deadlines';
import type { BodyOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand } from '../command';
import { nounOf } from '../operation-commands';

/** Without retries: a second call would wait for the locks of the first. */
const CLOSING = {
  timeoutMs: STATEMENTS_TIMEOUT_MS,
  deadlineMs: STATEMENTS_TIMEOUT_MS,
  maxRetries: 0,
};

/** fiado statements close. */
export function addCloseCommand(program: CliCommand): void {
  nounOf(program, 'statements')
    .command('close')
    .description('close statements now; a repetition is harmless')
    .requiredOption('--until <date>', 'day or moment before which lines are closed')
    .option('--wholesaler-id <wholesalerId>', 'of one wholesaler; without it of all', id)
    .example('fiado statements close --until 2026-11-23')
    .work(async ({ ops, out }, body: BodyOf<'closeStatements'>) => {
      let closed = await ops.statements.close(body, CLOSING);
      // A call closes some of many wholesalers.
      while (closed.remaining > 0) closed = await ops.statements.close(body, CLOSING);
      out.record(closed);
    });
}
