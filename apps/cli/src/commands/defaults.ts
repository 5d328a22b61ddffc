import type { QueryOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand, PageOptions } from '../command';

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
export function addDefaultCommands(program: CliCommand): void {
  const defaults = program.command('defaults').description('list and detect overdue debts');

  defaults
    .list('list')
    .description('list the defaults of all wholesalers, newest first')
    .option('--status <status>', 'open or closed')
    .option('--store <id>', 'only of this corner store', id)
    .option('--wholesaler <id>', 'only to this wholesaler', id)
    .option('--since <time>', 'only those opened at this time or later')
    .example('fiado defaults list --status open')
    .pages(
      ({ ops }, { store, wholesaler, ...query }: ListOptions) =>
        ops.defaults.list({ ...query, cornerStoreId: store, wholesalerId: wholesaler }),
      (page) => page.paymentDefaults,
      COLUMNS,
    );

  defaults
    .command('detect')
    .description('detect overdue debts now instead of at the next hour')
    .option('--as-of <time>', 'detect as of this time; a future time works in a sandbox only')
    .example('fiado defaults detect --as-of 2027-01-31T00:00:00Z')
    .work(async ({ ops, out }, body: { asOf?: string }) => {
      const answer = await ops.defaults.detect(body);
      out.result(answer, () => `opened ${answer.opened}`);
    });
}
