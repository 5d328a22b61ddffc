import type { Command } from 'commander';
import { id } from '../arguments';
import type { AnswerOf, QueryOf } from '@fiado/ops-client/operations';
import { printPages, withPages, type PageOptions } from '../pages';
import type { OpenSession } from '../session';

const COLUMNS = [
  'defaultId',
  'status',
  'daysOverdue',
  'amountDue',
  'paymentDefaultAmount',
  'paymentDefaultCreatedDate',
  'paymentDefaultPaidDate',
  'externalId',
  'cornerStoreId',
  'transactionId',
] as const;

interface ListOptions extends PageOptions {
  status?: QueryOf<'listOpsDefaults'>['status'];
  store?: string;
  wholesaler?: string;
  since?: string;
}

/** fiado defaults list | detect. */
export function addDefaultCommands(program: Command, open: OpenSession): void {
  const defaults = program.command('defaults').description('list and detect overdue debts');

  withPages(defaults.command('list'))
    .description('list the defaults of all wholesalers, newest first')
    .option('--status <status>', 'open or closed')
    .option('--store <id>', 'only of this corner store', id)
    .option('--wholesaler <id>', 'only to this wholesaler', id)
    .option('--since <time>', 'only those opened at this time or later')
    .addHelpText('after', '\nExample:\n  fiado defaults list --status open')
    .action(async (options: ListOptions, command: Command) => {
      const { ops, out } = await open(command);
      const { status, store, wholesaler, since, cursor, all } = options;
      const query = { status, cornerStoreId: store, wholesalerId: wholesaler, since, cursor };
      const layout = {
        rowsOf: (page: AnswerOf<'listOpsDefaults'>) => page.paymentDefaults,
        columns: COLUMNS,
      };
      await printPages(out, ops.defaults.list(query), layout, all);
    });

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
