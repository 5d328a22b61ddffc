import type { Command } from 'commander';
import { id } from '../arguments';
import type { QueryOf } from '@fiado/ops-client/operations';
import { printPages, withPages, type PageOptions } from '../pages';
import type { OpenSession } from '../session';

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

/** fiado receivables list | show. */
export function addReceivableCommands(program: Command, open: OpenSession): void {
  const receivables = program.command('receivables').description('look debts up');

  withPages(receivables.command('list'))
    .description('list debts: pending and overdue ones by their last day, else newest first')
    .option('--store <id>', 'only of this corner store', id)
    .option('--wholesaler <id>', 'only to this wholesaler', id)
    .option('--order <id>', 'only of this order', id)
    .option('--status <status>', 'pending, overdue or paid')
    .option('--due-before <date>', 'only those due before this date; with pending or overdue')
    .addHelpText('after', '\nExample:\n  fiado receivables list --status overdue')
    .action(async (options: ListOptions, command: Command) => {
      const { ops, out } = await open(command);
      const { store, wholesaler, order, status, dueBefore, cursor, all } = options;
      const list = ops.receivables.list({
        cornerStoreId: store,
        wholesalerId: wholesaler,
        transactionId: order,
        status,
        dueBefore,
        cursor,
      });
      await printPages(out, list, { rowsOf: (page) => page.receivables, columns: COLUMNS }, all);
    });

  receivables
    .command('show')
    .description('show a debt with its ledger')
    .argument('<receivableId>', '', id)
    .addHelpText(
      'after',
      '\nExample:\n  fiado receivables show 0199e2c4-7b2c-7d3e-9f40-516273849506',
    )
    .action(async (receivableId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.receivables.show(receivableId));
    });
}
