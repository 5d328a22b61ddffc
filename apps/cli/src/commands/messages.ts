import type { Command } from 'commander';
import { id } from '../arguments';
import type { QueryOf } from '../operations';
import { printPages, withPages, type PageOptions } from '../pages';
import type { OpenSession } from '../session';

const COLUMNS = [
  'messageId',
  'status',
  'template',
  'phoneNumber',
  'attempts',
  'reason',
  'createdAt',
  'sentAt',
] as const;

interface Options extends PageOptions {
  phone?: string;
  order?: string;
  status?: QueryOf<'listMessages'>['status'];
}

/** fiado messages list. */
export function addMessageCommands(program: Command, open: OpenSession): void {
  const messages = program.command('messages').description('list SMS');

  withPages(messages.command('list'))
    .description('list messages, newest first')
    .option('--phone <number>', 'only messages to this phone number')
    .option('--order <id>', 'only messages about this order', id)
    .option('--status <status>', 'pending, sending, sent, delivered, failed, unknown or expired')
    .addHelpText('after', '\nExample:\n  fiado messages list --phone +525555550101 --status failed')
    .action(async ({ phone, order, status, cursor, all }: Options, command: Command) => {
      const { ops, out } = await open(command);
      const list = ops.messages.list({ phoneNumber: phone, transactionId: order, status, cursor });
      await printPages(out, list, { rowsOf: (page) => page.messages, columns: COLUMNS }, all);
    });
}
