import type { Command } from 'commander';
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
];

interface Options extends PageOptions {
  phone?: string;
  status?: string;
}

/** fiado messages list. */
export function addMessageCommands(program: Command, open: OpenSession): void {
  const messages = program.command('messages').description('list SMS');

  withPages(messages.command('list'))
    .description('list messages, newest first')
    .option('--phone <number>', 'only messages to this phone number')
    .option('--status <status>', 'pending, sending, sent, delivered, failed, unknown or expired')
    .addHelpText('after', '\nExample:\n  fiado messages list --phone +525555550101 --status failed')
    .action(async ({ phone, status, ...pages }: Options, command: Command) => {
      const query = { phoneNumber: phone, status };
      const listing = { path: '/messages', query, field: 'messages', columns: COLUMNS };
      await printPages(await open(command), listing, pages);
    });
}
