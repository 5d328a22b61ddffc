import type { BodyOf, QueryOf } from '@fiado/ops-client/operations';
import { amount, count, id } from '../arguments';
import type { CliCommand } from '../command';
import { printChange } from '../output';

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

interface ListOptions extends Pick<
  QueryOf<'listOpsTransactions'>,
  'status' | 'from' | 'to' | 'cursor'
> {
  store?: string;
  wholesaler?: string;
  number?: number;
  externalNumber?: string;
}

/** fiado orders list | show | credit | reset-delivery-word. */
export function addOrderCommands(program: CliCommand): void {
  const orders = program
    .command('orders')
    .alias('transactions')
    .description('look orders up, credit one, unlock one after wrong delivery words');

  orders
    .list('list')
    .description('list the orders of all wholesalers, newest first')
    .option('--store <id>', 'only of this corner store', id)
    .option('--wholesaler <id>', 'only of this wholesaler', id)
    .option(
      '--status <status>',
      'pending-verification, on-hold, delivery, in-payment-default, paid, cancelled or expired',
    )
    .option('--number <n>', 'only the order with this incrementalID; the numbers have gaps', count)
    .option('--external-number <id>', 'only orders with this id of their wholesaler')
    .option('--from <time>', 'only those created at this time or later')
    .option('--to <time>', 'only those created before this time')
    .example('fiado orders list --status on-hold --from 2026-11-22')
    .pages(
      ({ ops }, { store, wholesaler, number, externalNumber, ...query }: ListOptions) =>
        ops.transactions.list({
          ...query,
          cornerStoreId: store,
          wholesalerId: wholesaler,
          incrementalID: number,
          wholesalerTransactionId: externalNumber,
        }),
      (page) => page.transactions,
      COLUMNS,
    );

  orders
    .command('show')
    .description('show an order: products, code, delivery word, ledger and invoice')
    .argument('<transactionId>', '', id)
    .example('fiado orders show 0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11')
    .work(async ({ ops, out }, transactionId: string) =>
      out.record(await ops.transactions.show(transactionId)),
    );

  addChanges(orders);
}

function addChanges(orders: CliCommand): void {
  orders
    .command('credit')
    .description('credit goods of a delivered order; a large note waits for a second person')
    .argument('<transactionId>', '', id)
    .requiredOption('--amount <pesos>', 'price of the goods, without interests and IVA', amount)
    .requiredOption('--reason <reason>', 'return, damaged, missing, price or other')
    .option('--reference <text>', 'names this note; an order has each once')
    .example(
      'fiado orders credit 0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11 --amount 120 --reason damaged',
    )
    .work(async ({ ops, out }, transactionId: string, body: BodyOf<'giveCreditNote'>) =>
      printChange(out, await ops.transactions.giveCreditNote(transactionId, body)),
    );

  orders
    .command('reset-delivery-word')
    .description('unlock an order after too many wrong delivery words and send the word again')
    .argument('<transactionId>', '', id)
    .example('fiado orders reset-delivery-word 0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11')
    .work(async ({ ops, out }, transactionId: string) =>
      out.record(await ops.transactions.resetDeliveryWord(transactionId)),
    );
}
