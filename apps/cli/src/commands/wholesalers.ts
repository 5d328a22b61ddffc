import { Option, type Command } from 'commander';
import { amount, count, id, rate, yesOrNo } from '../arguments';
import { UsageError } from '../errors';
import type { BodyOf } from '@fiado/ops-client/operations';
import { printPages, withPages, type PageOptions } from '../pages';
import { printChange } from '../print-change';
import { printSecret } from '../print-secret';
import type { OpenSession } from '../session';

const EXAMPLES = {
  create: `
Example:
  fiado wholesalers create --name "Abarrotes del Centro" --minimum-transaction-amount 200`,
  update: `
Example:
  fiado wholesalers update 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11 --payment-term-days 21`,
};

const COLUMNS = [
  'wholesalerId',
  'name',
  'minimumTransactionAmount',
  'commissionRate',
  'paymentTermDays',
  'batchEnabled',
] as const;

/** fiado wholesalers list | create | update. */
export function addWholesalerCommands(program: Command, open: OpenSession): void {
  const wholesalers = program
    .command('wholesalers')
    .description('list, create and change wholesalers');
  addList(wholesalers, open);

  withSettings(wholesalers.command('create'))
    .description('create a wholesaler and its first API key')
    .requiredOption('--name <name>', 'the name that its customers see')
    .addHelpText('after', EXAMPLES.create)
    .action(async (body: BodyOf<'createWholesaler'>, command: Command) => {
      const { ops, out } = await open(command);
      printSecret(out, await ops.wholesalers.create(body));
    });

  withSettings(wholesalers.command('update'))
    .description('change settings of a wholesaler; settings that are not named stay')
    .argument('<wholesalerId>', '', id)
    .option('--name <name>', 'the name that its customers see')
    .addHelpText('after', EXAMPLES.update)
    .action(async (wholesalerId: string, body: BodyOf<'updateWholesaler'>, command: Command) => {
      if (Object.keys(body).length === 0)
        throw new UsageError('name at least one setting to change');
      const { ops, out } = await open(command);
      printChange(out, await ops.wholesalers.update(wholesalerId, body));
    });
}

function addList(wholesalers: Command, open: OpenSession): void {
  withPages(wholesalers.command('list'))
    .description('list wholesalers, newest first; --json shows all settings')
    .addHelpText('after', '\nExample:\n  fiado wholesalers list --all')
    .action(async ({ cursor, all }: PageOptions, command: Command) => {
      const { ops, out } = await open(command);
      const list = ops.wholesalers.list({ cursor });
      await printPages(out, list, { rowsOf: (page) => page.wholesalers, columns: COLUMNS }, all);
    });
}

function withSettings(command: Command): Command {
  const trueOrFalse = (flag: string, text: string) =>
    new Option(`--${flag} <true|false>`, text).argParser(yesOrNo);
  return command
    .option('--minimum-transaction-amount <pesos>', 'smallest order', amount)
    .option('--commission-rate <rate>', "the lender's share of a delivered order", rate)
    .option('--payment-term-days <days>', 'days from delivery to payment', count)
    .addOption(trueOrFalse('delivery-word-enabled', 'corner stores get a delivery word'))
    .addOption(trueOrFalse('delivery-word-required', 'a delivery requires the delivery word'))
    .addOption(trueOrFalse('confirmation-required', 'corner stores confirm each order with a code'))
    .option('--delivery-overage-rate <rate>', 'how much a delivery may exceed its order', rate)
    .option(
      '--sms-to-unknown-per-day <count>',
      'codes to phone numbers that belong to no customer',
      count,
    )
    .addOption(
      new Option(
        '--phone-change-hold <when>',
        'hold large orders after a phone number change: if other wholesalers sell to the store (shared), always, never',
      ).choices(['shared', 'always', 'never']),
    )
    .addOption(trueOrFalse('batch-enabled', 'allow batches, whose orders need no code'))
    .option('--batch-items-per-day <count>', 'batch items per day; 0 is no limit', count);
}
