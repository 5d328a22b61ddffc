import type { Command } from 'commander';
import { id } from '../arguments';
import type { OpenSession } from '../session';

/** fiado transactions reset-delivery-word. */
export function addTransactionCommands(program: Command, open: OpenSession): void {
  const transactions = program.command('transactions').description('orders of corner stores');

  transactions
    .command('reset-delivery-word')
    .description('unlock an order after too many wrong delivery words and send the word again')
    .argument('<transactionId>', '', id)
    .addHelpText(
      'after',
      '\nExample:\n  fiado transactions reset-delivery-word 0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11',
    )
    .action(async (transactionId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
      out.record(await ops.transactions.resetDeliveryWord(transactionId));
    });
}
