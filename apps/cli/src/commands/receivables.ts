import type { QueryOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand, PageOptions } from '../command';
import { printChange } from '../output';

const COLUMNS = [
  'receivableId',
  'status',
  'daysOverdue',
  'amountDue',
  'amountPaid',
  'paymentDate',
  'paymentTimeZone',
  'externalId',
  'cornerStoreId',
  'idFactura',
  'numeroReferencia',
] as const;

interface ListOptions extends PageOptions {
  store?: string;
  wholesaler?: string;
  order?: string;
  status?: QueryOf<'listReceivables'>['status'];
  dueBefore?: string;
}

/** fiado receivables list | show | write-off. */
export function addReceivableCommands(program: CliCommand): void {
  const receivables = program
    .command('receivables')
    .description('look debts up, and write them off');

  receivables
    .list('list')
    .description('list debts: pending and overdue ones by their last day, else newest first')
    .option('--store <id>', 'only of this corner store', id)
    .option('--wholesaler <id>', 'only to this wholesaler', id)
    .option('--order <id>', 'only of this order', id)
    .option('--status <status>', 'pending, overdue or paid')
    .option('--due-before <date>', 'only those due before this date; with pending or overdue')
    .example('fiado receivables list --status overdue')
    .pages(
      ({ ops }, { store, wholesaler, order, ...query }: ListOptions) =>
        ops.receivables.list({
          ...query,
          cornerStoreId: store,
          wholesalerId: wholesaler,
          transactionId: order,
        }),
      (page) => page.receivables,
      COLUMNS,
    );

  receivables
    .command('show')
    .description('show a debt with its ledger')
    .argument('<receivableId>', '', id)
    .example('fiado receivables show 0199e2c4-7b2c-7d3e-9f40-516273849506')
    .work(async ({ ops, out }, receivableId: string) =>
      out.record(await ops.receivables.show(receivableId)),
    );

  receivables
    .command('write-off')
    .description('write an overdue debt off: it leaves the portfolio and stays owed')
    .argument('<receivableId>', '', id)
    .requiredOption('--reason <text>', 'reason, for who reads the books')
    .example(
      'fiado receivables write-off 0199e2c4-7b2c-7d3e-9f40-516273849506 --reason "the store closed"',
    )
    .work(async ({ ops, out }, receivableId: string, body: { reason: string }) =>
      printChange(out, await ops.receivables.writeOff(receivableId, body)),
    );
}
