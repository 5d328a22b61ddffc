import type { Command } from 'commander';
import { amount, id } from '../arguments';
import type { Schema } from '@fiado/ops-client/operations';
import { printPages, withPages, type PageOptions } from '../pages';
import { printChange } from '../print-change';
import type { OpenSession } from '../session';

const COLUMNS = [
  'payoutId',
  'status',
  'amount',
  'bankReference',
  'reason',
  'requestedAt',
  'paidAt',
  'returnedAt',
] as const;

/** fiado corner-stores payouts | pay-out | payout-returned. */
export function addPayoutCommands(stores: Command, open: OpenSession): void {
  withPages(stores.command('payouts'))
    .description('list what was paid out of a corner store’s credit balance, newest first')
    .argument('<cornerStoreId>', '', id)
    .addHelpText('after', '\nExample:\n  fiado stores payouts 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11')
    .action(async (cornerStoreId: string, { cursor, all }: PageOptions, command: Command) => {
      const { ops, out } = await open(command);
      const rowsOf = (page: Schema<'PayoutPage'>) => page.payouts;
      const list = ops.cornerStores.listPayouts(cornerStoreId, { cursor });
      await printPages(out, list, { rowsOf, columns: COLUMNS }, all);
    });

  stores
    .command('pay-out')
    .description('pay out credit balance; the amount is reserved until a second person approves')
    .argument('<cornerStoreId>', '', id)
    .requiredOption('--amount <pesos>', 'at most the credit balance', amount)
    .requiredOption('--bank-reference <text>', 'of the transfer; each is used once')
    .requiredOption('--reason <text>', 'for the second person')
    .addHelpText(
      'after',
      '\nExample:\n  fiado stores pay-out 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 --amount 42 --bank-reference SPEI-77 --reason "the store asked for it"',
    )
    .action(
      async (
        cornerStoreId: string,
        body: { amount: number; bankReference: string; reason: string },
        command: Command,
      ) => {
        const { ops, out } = await open(command);
        printChange(out, await ops.cornerStores.payOut(cornerStoreId, body));
      },
    );

  stores
    .command('payout-returned')
    .description('book a payout back that the bank returned, once')
    .argument('<cornerStoreId>', '', id)
    .argument('<payoutId>', '', id)
    .addHelpText(
      'after',
      '\nExample:\n  fiado stores payout-returned 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11 0199e2c4-9d4e-7f50-8b62-738495061728',
    )
    .action(async (cornerStoreId: string, payoutId: string, _: object, command: Command) => {
      const { ops, out } = await open(command);
      printChange(out, await ops.cornerStores.recordReturnedPayout(cornerStoreId, payoutId));
    });
}
