import { Option } from 'commander';
import type { BodyOf } from '@fiado/ops-client/operations';
import { amount, count, id, rate, yesOrNo } from '../arguments';
import type { CliCommand, PageOptions } from '../command';
import { UsageError } from '../errors';
import { printChange, printSecret } from '../output';

const COLUMNS = [
  'wholesalerId',
  'name',
  'minimumTransactionAmount',
  'commissionRate',
  'paymentTermDays',
  'batchEnabled',
] as const;

/** fiado wholesalers list | create | update. */
export function addWholesalerCommands(program: CliCommand): void {
  const wholesalers = program
    .command('wholesalers')
    .description('list, create and change wholesalers');
  addList(wholesalers);

  withSettings(wholesalers.command('create'))
    .description('create a wholesaler and its first API key')
    .requiredOption('--name <name>', 'the name that its customers see')
    .example(
      'fiado wholesalers create --name "Abarrotes del Centro" --minimum-transaction-amount 200',
    )
    .work(async ({ ops, out }, body: BodyOf<'createWholesaler'>) =>
      printSecret(out, await ops.wholesalers.create(body)),
    );

  withSettings(wholesalers.command('update'))
    .description('change settings of a wholesaler; settings that are not named stay')
    .argument('<wholesalerId>', '', id)
    .option('--name <name>', 'the name that its customers see')
    .example('fiado wholesalers update 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11 --payment-term-days 21')
    .work(async ({ ops, out }, wholesalerId: string, body: BodyOf<'updateWholesaler'>) => {
      if (Object.keys(body).length === 0)
        throw new UsageError('name at least one setting to change');
      printChange(out, await ops.wholesalers.update(wholesalerId, body));
    });
}

function addList(wholesalers: CliCommand): void {
  wholesalers
    .list('list')
    .description('list wholesalers, newest first; --json shows all settings')
    .example('fiado wholesalers list --all')
    .pages(
      ({ ops }, query: PageOptions) => ops.wholesalers.list(query),
      (page) => page.wholesalers,
      COLUMNS,
    );
}

function withSettings(command: CliCommand): CliCommand {
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
    .option('--batch-items-per-day <count>', 'batch items per day; 0 is no limit', count)
    .addOption(
      new Option(
        '--settlement-every <when>',
        'close statements at midnight (daily), on Mondays (weekly), or by hand (on-demand)',
      ).choices(['daily', 'weekly', 'on-demand']),
    );
}
