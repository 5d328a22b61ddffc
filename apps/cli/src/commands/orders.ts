import type { Command } from 'commander';
import { count, id } from '../arguments';
import type { QueryOf } from '@fiado/ops-client/operations';
import { printPages, withPages, type PageOptions } from '../pages';
import type { OpenSession } from '../session';

const COLUMNS = [
  'transactionId',
  'incrementalID',
  'transactionStatus',
  'wholesaler',
  'wholesalerTransactionId',
  'cornerStoreId',
  'totalAmount',
  'createdAt',
  'paymentDate',
  'paymentTimeZone',
] as const;

interface ListOptions extends PageOptions {
  store?: string;
  wholesaler?: string;
  status?: QueryOf<'listOpsTransactions'>['status'];
  number?: number;
  externalNumber?: string;
  from?: string;
  to?: string;
}

/** fiado orders list | show | reset-delivery-word. */
export function addOrderCommands(program: Command, open: OpenSession): void {
  const orders = program
    .command('orders')
    .alias('transactions')
    .description('look orders up, unlock one after wrong delivery words');

  withPages(orders.command('list'))
    .description('list the orders of all wholesalers, newest first')
    .option('--store <id>', 'only of this corner store', id)
    .option('--wholesaler <id>', 'only of this wholesaler', id)
    .option(
      '--status <status>',
      'pending-verification, on-hold, delivery, in-payment-default, paid, cancelled or expired',
    )
    .option('--number <n>', 'only the order with this incrementalID', count)
    .option('--external-number <id>', 'only orders with this id of their wholesaler')
    .option('--from <time>', 'only those created at this time or later')
    .option('--to <time>', 'only those created before this time')
    .addHelpText('after', '\nExample:\n  fiado orders list --status on-hold --from 2026-11-22')
    .action(async (options: ListOptions, command: Command) => {
      const { ops, out } = await open(command);
      const { store, wholesaler, status, number, externalNumber, from, to, cursor, all } = options;
      const list = ops.transactions.list({
        cornerStoreId: store,
        wholesalerId: wholesaler,
        status,
        incrementalID: number,
        wholesalerTransactionId: externalNumber,
        from,
        to,
        cursor,
      });
      await printPages(out, list, { rowsOf: (page) => page.transactions, columns: COLUMNS }, all);
    });

  orders
    .command('show')
    .description('show an order: products, code, delivery word, ledger and invoice')
    .argument('<transactionId>', '', id)
    .addHelpText('after', '\nExample:\n  fiado orders show 0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11')
    .action(async (transactionId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.transactions.show(transactionId));
    });

  orders
    .command('reset-delivery-word')
    .description('unlock an order after too many wrong delivery words and send the word again')
    .argument('<transactionId>', '', id)
    .addHelpText(
      'after',
      '\nExample:\n  fiado orders reset-delivery-word 0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
    )
    .action(async (transactionId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.transactions.resetDeliveryWord(transactionId));
    });
}
